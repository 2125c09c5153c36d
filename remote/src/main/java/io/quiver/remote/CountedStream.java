package io.quiver.remote;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reports the number of bytes read to a listener before the reader gets them. */
public final class CountedStream extends FilterInputStream {

  /** Receives the number of bytes read; may block to slow the reader down. */
  public interface Listener {
    void bytes(long count) throws IOException;
  }

  private final int most;
  private final Listener listener;

  /**
   * Creates a stream that reads at most {@code most} bytes at a time.
   *
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
