package io.quiver.gateway.door;

import io.quiver.gateway.door.block.BlockReader;
import io.quiver.gateway.door.block.HandleReadAhead;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ObjectDetails;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.function.Consumer;

/** One open object of a cached door. */
final class DoorHandle implements OpenObject {
  private final ObjectDetails details;
  private final ObjectBlocks file;
  private final BlockReader reader;
  private final HandleReadAhead ahead;
  private final Consumer<String> changed;
  private volatile boolean closed;

  /**
   * Opens a handle.
   *
   * @param changed hears the name of the object when the store has another version of it or none
   */
  DoorHandle(
      ObjectDetails details, ObjectBlocks file, BlockReader reader, Consumer<String> changed) {
    this.details = details;
    this.file = file;
    this.reader = reader;
    this.ahead = reader.watch(file);
    this.changed = changed;
  }

  @Override
  public ObjectDetails details() {
    return details;
  }

  @Override
  public void readBy(long reader) {
    ahead.readBy(reader);
  }

  /** Notes how long the store took to open the object: its first reader has waited for that. */
  void openedIn(long nanos) {
    ahead.openedIn(nanos);
  }

  @Override
  public int read(long offset, ByteBuffer target) throws IOException {
    requireOpen();
    if (offset < 0) {
      throw new IllegalArgumentException("a read of " + name() + " at offset " + offset);
    }
    int length = Math.clamp(file.object().size() - offset, 0, target.remaining());
    if (length == 0) {
      return 0;
    }
    ByteBuffer part = target.slice(target.position(), length);
    watched(() -> reader.read(file, ahead, offset, part));
    target.position(target.position() + length);
    return length;
  }

  @Override
  public void transfer(long offset, long length, ByteConsumer consumer) throws IOException {
    requireOpen();
    if (offset < 0 || length < 0 || length > file.object().size() - offset) {
      throw new IllegalArgumentException(
          length
              + " bytes at "
              + offset
              + " do not lie in "
              + name()
              + " of "
              + file.object().size()
              + " bytes");
    }
    watched(() -> reader.transfer(file, ahead, offset, length, consumer::accept));
  }

  private interface Reading {
    void run() throws IOException;
  }

  private void watched(Reading reading) throws IOException {
    try {
      reading.run();
    } catch (ChangedObjectException | NoSuchFileException e) {
      changed.accept(name());
      throw e;
    }
  }

  private String name() {
    return file.object().name();
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public void close() {
    closed = true;
    ahead.close();
  }
}
