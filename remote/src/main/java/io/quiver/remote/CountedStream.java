package io.quiver.remote;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Tells somebody how many bytes were read, before they are handed on. */
public final class CountedStream extends FilterInputStream {

  /** Hears of bytes; may take its time. */
  public interface Listener {
    void bytes(long count) throws IOException;
  }

  private final int most;
  private final Listener listener;

  /**
   * @param most how many bytes one read may bring
   */
  public CountedStream(InputStream source, int most, Listener listener) {
    super(source);
    this.most = most;
    this.listener = listener;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    if (value >= 0) {
      listener.bytes(1);
    }
    return value;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, Math.min(length, most));
    if (count > 0) {
      listener.bytes(count);
    }
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(Math.min(count, most));
    listener.bytes(skipped);
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
