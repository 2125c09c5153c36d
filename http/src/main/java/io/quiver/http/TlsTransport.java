package io.quiver.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** HTTP through the platform's TLS: payloads are copied into records of up to 16 KiB. */
final class TlsTransport implements Transport {
  private static final int RECORD_BYTES = 16 << 10;

  private final SocketChannel channel;
  private final RequestTimeouts timeouts;
  private final InputStream input;
  private final OutputStream output;
  private final SSLSocket socket;
  private final byte[] record = new byte[RECORD_BYTES];
  private int pending;

  /** Shakes hands; the connection's timeouts bounds it. */
  TlsTransport(SocketChannel channel, SSLContext context, RequestTimeouts timeouts)
      throws IOException {
    this.channel = channel;
    this.timeouts = timeouts;
    this.socket = (SSLSocket) context.getSocketFactory().createSocket(channel.socket(), null, true);
    socket.setUseClientMode(false);
    socket.startHandshake();
    this.input = new StampedInput(socket.getInputStream());
    this.output = socket.getOutputStream();
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public void write(ByteBuffer[] buffers, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      while (buffers[i].hasRemaining()) {
        int length = Math.min(buffers[i].remaining(), RECORD_BYTES - pending);
        buffers[i].get(record, pending, length);
        pending += length;
        if (pending == RECORD_BYTES) {
          send();
        }
      }
    }
    if (pending > 0) {
      send();
    }
  }

  private void send() throws IOException {
    int length = pending;
    pending = 0;
    output.write(record, 0, length);
    timeouts.moved(length);
  }

  @Override
  public void finish() throws IOException {
    socket.shutdownOutput();
  }

  /** Cuts the connection at once, also under the feet of its own thread. */
  @Override
  public void close() throws IOException {
    channel.close();
  }

  private final class StampedInput extends FilterInputStream {
    StampedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = in.read(target, offset, length);
      if (count > 0) {
        timeouts.moved(count);
      }
      return count;
    }
  }
}
