package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Carries the store's listing from the listing thread to the dispatcher.
 *
 * <p>It passes through a file, so that the listing may run as far ahead as it likes (then the
 * totals are known early) while memory stays the same for ten objects and for a hundred million.
 */
final class ListingSpool implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 18;
  private static final int MAX_STRING_BYTES = 1 << 16;

  private final Path path;
  private final FileChannel channel;
  private final ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
  private long written;
  private long consumed;
  private boolean readerWaits;
  private boolean finished;
  private @Nullable IOException failure;

  ListingSpool(Path path) throws IOException {
    this.path = path;
    this.channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
  }

  /** Adds an object; for the listing thread. */
  synchronized void append(RemoteObject object) throws IOException {
    byte[] name = bounded(object.name());
    byte[] version = bounded(object.version());
    if (out.remaining() < 16 + name.length + version.length) {
      flush();
    }
    out.putInt(name.length).putInt(version.length).putLong(object.size());
    out.put(name).put(version);
    if (readerWaits) {
      flush();
    }
  }

  /** Ends the listing, with a failure if there is one. */
  synchronized void finish(@Nullable IOException cause) throws IOException {
    failure = cause;
    finished = true;
    flush();
    notifyAll();
  }

  /** Returns the next object, or null if it is not listed yet. */
  synchronized @Nullable RemoteObject poll() throws IOException {
    if (in.hasRemaining() || fill()) {
      return decode();
    }
    if (finished && failure != null) {
      throw failure;
    }
    return null;
  }

  /**
   * Returns the next object, or null at the end; waits for the listing, whose every page has a
   * deadline. Null at the end.
   */
  synchronized @Nullable RemoteObject next() throws IOException, InterruptedException {
    RemoteObject object = poll();
    while (object == null && !finished) {
      readerWaits = true;
      wait(1000);
      readerWaits = false;
      object = poll();
    }
    return object;
  }

  /** Returns true if the listing has ended and every object was taken. */
  synchronized boolean drained() {
    return finished && !in.hasRemaining() && consumed == written && out.position() == 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }

  private void flush() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      written += channel.write(out, written);
    }
    out.clear();
    notifyAll();
  }

  // Reads whole records: a record cut by the end of the buffer is read again next time.
  private boolean fill() throws IOException {
    if (consumed == written && out.position() > 0) {
      flush();
    }
    in.clear().limit((int) Math.min(in.capacity(), written - consumed));
    while (in.hasRemaining()) {
      if (channel.read(in, consumed + in.position()) < 0) {
        throw new IOException(path + " was cut while it was in use");
      }
    }
    in.flip();
    int whole = 0;
    while (whole + 16 <= in.limit() && whole + recordLength(whole) <= in.limit()) {
      whole += recordLength(whole);
    }
    consumed += whole;
    in.limit(whole);
    return whole > 0;
  }

  private int recordLength(int at) {
    return 16 + in.getInt(at) + in.getInt(at + 4);
  }

  private RemoteObject decode() {
    byte[] name = new byte[in.getInt()];
    byte[] version = new byte[in.getInt()];
    long size = in.getLong();
    in.get(name).get(version);
    return new RemoteObject(
        new String(name, StandardCharsets.UTF_8),
        size,
        new String(version, StandardCharsets.UTF_8));
  }

  private static byte[] bounded(String text) throws IngestException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_STRING_BYTES) {
      throw new IngestException(
          "the store lists a name of %d bytes, the limit is %d: it starts \"%s\""
              .formatted(bytes.length, MAX_STRING_BYTES, text.substring(0, 40)));
    }
    return bytes;
  }
}
