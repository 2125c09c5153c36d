package io.quiver.remote.file;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.Ranges;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * One file, open at one version. All bytes come through one descriptor, so a file put in its place
 * cannot mix in. The version is checked after the opening and after every read, before anybody sees
 * the bytes: that notices a file written over in place.
 */
final class OpenFile implements AutoCloseable {
  private final String name;
  private final Path path;
  private final String version;
  private final FileChannel channel;

  private OpenFile(String name, Path path, String version, FileChannel channel) {
    this.name = name;
    this.path = path;
    this.version = version;
    this.channel = channel;
  }

  /** Opens a file that must have this version. */
  static OpenFile open(String name, Path path, String version) throws IOException {
    requireVersion(name, path, version);
    OpenFile file =
        new OpenFile(name, path, version, FileChannel.open(path, StandardOpenOption.READ));
    try {
      file.requireSame();
      return file;
    } catch (IOException | RuntimeException changed) {
      file.close();
      throw changed;
    }
  }

  /** Reads some bytes; returns -1 at the end of the file. */
  int read(long position, ByteBuffer target) throws IOException {
    int start = target.position();
    int count = channel.read(target, position);
    try {
      requireSame();
    } catch (IOException changed) {
      target.position(start);
      throw changed;
    }
    return count;
  }

  /** Fills the target. */
  void fill(long offset, ByteBuffer target) throws IOException {
    int start = target.position();
    long position = offset;
    while (target.hasRemaining()) {
      int count = channel.read(target, position);
      if (count < 0) {
        requireSame();
        throw Ranges.endsEarly(name, position, target.remaining());
      }
      position += count;
    }
    try {
      requireSame();
    } catch (IOException changed) {
      target.position(start);
      throw changed;
    }
  }

  /** Returns the bytes of a range as a stream that owns this file. */
  InputStream stream(long offset, long end) {
    return new Bytes(offset, end);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void requireSame() throws IOException {
    requireVersion(name, path, version);
  }

  private static void requireVersion(String name, Path path, String version) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = FileStore.regularFile(name, path);
    } catch (NoSuchFileException gone) {
      throw new NoSuchFileException(name, null, "it was deleted");
    }
    if (!FileStore.version(attributes).equals(version)) {
      throw new ChangedObjectException(name);
    }
  }

  /** Reads the file front to back. Used by one thread. */
  private final class Bytes extends InputStream {
    private final long end;
    private long position;

    private Bytes(long position, long end) {
      this.position = position;
      this.end = end;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (position >= end) {
        return -1;
      }
      int most = (int) Math.min(length, end - position);
      int count = OpenFile.this.read(position, ByteBuffer.wrap(bytes, offset, most));
      position += Math.max(0, count);
      return count;
    }

    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, Math.max(0, end - position));
    }

    @Override
    public void close() throws IOException {
      OpenFile.this.close();
    }
  }
}
