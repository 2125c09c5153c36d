package io.quiver.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** HTTP in clear: gathered writes straight from mapped files. */
final class PlainTransport implements Transport {
  /** Longest single read: the platform copies through a temporary buffer of that length. */
  private static final int MAX_READ = 128 << 10;

  private final SocketChannel channel;
  private final Patience patience;
  private final InputStream input;

  PlainTransport(SocketChannel channel, Patience patience) {
    this.channel = channel;
    this.patience = patience;
    this.input = new ChannelInput();
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public void write(ByteBuffer[] buffers, int count) throws IOException {
    int first = 0;
    while (first < count) {
      if (!buffers[first].hasRemaining()) {
        first++;
        continue;
      }
      patience.moved(channel.write(buffers, first, count - first));
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
      int count = channel.read(ByteBuffer.wrap(target, offset, Math.min(length, MAX_READ)));
      if (count > 0) {
        patience.moved(count);
      }
      return count;
    }
  }
}
