package io.quiver.remote.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Holds one column of an unfinished digest: appended to, truncated when an object fails, read once.
 */
final class ColumnFile implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final FileChannel channel;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long flushed;

  ColumnFile(Path path) throws IOException {
    channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Returns the number of bytes appended so far. */
  long length() {
    return flushed + buffer.position();
  }

  void putInt(int value) throws IOException {
    buffer(Integer.BYTES).putInt(value);
  }

  void putLong(long value) throws IOException {
    buffer(Long.BYTES).putLong(value);
  }

  void put(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int part = Math.min(buffer(1).remaining(), length - done);
      buffer.put(bytes, offset + done, part);
      done += part;
    }
  }

  /** Forgets everything after a length. */
  void truncate(long length) throws IOException {
    if (length >= flushed) {
      buffer.position((int) (length - flushed));
    } else {
      buffer.clear();
      channel.truncate(length);
      flushed = length;
    }
  }

  void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      flushed += channel.write(buffer, flushed);
    }
    buffer.clear();
  }

  /** Flushes and waits until the bytes are on disk. */
  void force() throws IOException {
    flush();
    channel.force(false);
  }

  /** Flushes and returns the file for reading. */
  FileChannel reader() throws IOException {
    flush();
    return channel;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private ByteBuffer buffer(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
    return buffer;
  }
}
