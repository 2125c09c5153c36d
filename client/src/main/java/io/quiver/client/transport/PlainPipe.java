package io.quiver.client.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Carries bytes over TCP: direct buffers are filled by the kernel without a copy in between. */
final class PlainPipe implements Pipe {
  // Heap buffers are copied by the platform before each write; this bounds the copy.
  private static final int MOST_BYTES_AT_ONCE = 1 << 20;
  private static final int MOST_BUFFERS_AT_ONCE = 512;

  private final ServerEndpoint endpoint;
  private final SocketChannel channel;

  PlainPipe(ServerEndpoint endpoint) throws IOException {
    this.endpoint = endpoint;
    this.channel = SocketChannel.open();
  }

  @Override
  public void connect() throws IOException {
    InetSocketAddress address = endpoint.address();
    if (address.isUnresolved()) {
      throw new UnknownHostException("no address for host " + endpoint.host());
    }
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.connect(address);
  }

  @Override
  public void write(ByteBuffer[] buffers) throws IOException {
    int first = 0;
    while (first < buffers.length) {
      if (!buffers[first].hasRemaining()) {
        first++;
      } else {
        writeSome(buffers, first);
      }
    }
  }

  private void writeSome(ByteBuffer[] buffers, int first) throws IOException {
    int room = MOST_BYTES_AT_ONCE;
    int last = first;
    while (last < buffers.length && last - first < MOST_BUFFERS_AT_ONCE && room > 0) {
      room -= Math.min(room, buffers[last].remaining());
      last++;
    }
    // Only the last one may be too long for what room there was.
    ByteBuffer tail = buffers[last - 1];
    int limit = tail.limit();
    int others = 0;
    for (int i = first; i < last - 1; i++) {
      others += buffers[i].remaining();
    }
    tail.limit(Math.min(limit, tail.position() + MOST_BYTES_AT_ONCE - others));
    try {
      channel.write(buffers, first, last - first);
    } finally {
      tail.limit(limit);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return channel.read(target);
  }

  @Override
  public void cut() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing more can be done for it, and nobody reads from it again.
    }
  }
}
