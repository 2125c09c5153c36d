package io.quiver.remote.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends after a number of bytes, or earlier where the stream behind it does. */
final class LimitedStream extends FilterInputStream {
  private long left;

  LimitedStream(InputStream source, long limit) {
    super(source);
    this.left = limit;
  }

  @Override
  public int read() throws IOException {
    if (left == 0) {
      return -1;
    }
    int value = super.read();
    left -= value < 0 ? left : 1;
    return value;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0) {
      return -1;
    }
    int count = super.read(bytes, offset, (int) Math.min(length, left));
    left -= count < 0 ? left : count;
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(super.available(), left);
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
