package io.quiver.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Carries HTTP in clear: gathered writes straight from mapped files. */
final class PlainTransport implements Transport {
  /** Longest single read: the platform copies through a temporary buffer of that length. */
  private static final int MAX_READ = 128 << 10;

  /**
   * Bytes sent before other threads may run. Without slices a small answer waits behind a large one
   * for as long as the system lets a thread run, and the peer reads what has left the processor's
   * caches meanwhile: batches of 10 to 20 MB went twice as fast in slices of 512 KB or 1 MB as
   * without, and no faster in slices of 128 KB.
   */
  private static final int SLICE_BYTES = 512 << 10;

  /**
   * Answers up to this length are sent whole. In slices of half a megabyte and pauses in between,
   * the peer wakes more often for less: it took a sixth more of its processor time.
   */
  private static final int WHOLE_BYTES = 2 << 20;

  private final SocketChannel channel;
  private final RequestTimeouts timeouts;
  private final InputStream input;

  PlainTransport(SocketChannel channel, RequestTimeouts timeouts) {
    this.channel = channel;
    this.timeouts = timeouts;
    this.input = new ChannelInput();
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public int readDirectly(ByteBuffer target) throws IOException {
    int count = channel.read(target);
    if (count > 0) {
      timeouts.moved(count);
    }
    return count;
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // only how soon others run depends on it
  public void write(ByteBuffer[] buffers, int count) throws IOException {
    long slice = remaining(buffers, count) <= WHOLE_BYTES ? WHOLE_BYTES : SLICE_BYTES;
    boolean again = false;
    int first = 0;
    while (first < count) {
      if (!buffers[first].hasRemaining()) {
        first++;
        continue;
      }
      if (again) {
        Thread.yield();
      }
      timeouts.moved(writeSlice(buffers, first, count, slice));
      again = true;
    }
  }

  private static long remaining(ByteBuffer[] buffers, int count) {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += buffers[i].remaining();
    }
    return bytes;
  }

  private long writeSlice(ByteBuffer[] buffers, int first, int count, long slice)
      throws IOException {
    int end = first;
    long bytes = 0;
    while (end < count && bytes < slice) {
      bytes += buffers[end++].remaining();
    }
    ByteBuffer last = buffers[end - 1];
    int limit = last.limit();
    last.limit(limit - (int) Math.max(0, bytes - slice));
    try {
      return channel.write(buffers, first, end - first);
    } finally {
      last.limit(limit);
    }
  }

  @Override
  public void finish() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private final class ChannelInput extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return readDirectly(ByteBuffer.wrap(target, offset, Math.min(length, MAX_READ)));
    }
  }
}
