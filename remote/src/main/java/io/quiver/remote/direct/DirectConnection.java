package io.quiver.remote.direct;

import io.quiver.remote.RemoteConfig.Timeouts;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.jspecify.annotations.Nullable;

/**
 * One connection. One thread uses it at a time, and any thread may cut it. No read waits for longer
 * than the read timeout, and a head that trickles in has no longer than a request may wait for one.
 */
final class DirectConnection {
  private static final int BUFFER_BYTES = 8 << 10;
  private static final int MAX_INTERIM_ANSWERS = 4;
  private static final Http1Config LIMITS =
      Http1Config.custom()
          .setBufferSize(BUFFER_BYTES)
          .setMaxLineLength(BUFFER_BYTES)
          .setMaxHeaderCount(100)
          .setMaxEmptyLineCount(2)
          .build();

  private final Timeouts timeouts;
  // Cutting the TCP connection below never waits, unlike closing the TLS one.
  private final Socket socket = new Socket();
  private final SessionInputBufferImpl buffered =
      new SessionInputBufferImpl(
          new BasicHttpTransportMetrics(), BUFFER_BYTES, 1, BUFFER_BYTES, null);
  private final DefaultHttpResponseParser parser = new DefaultHttpResponseParser(LIMITS);
  private final InputStream heads = new HeadInput();
  private InputStream input = InputStream.nullInputStream();
  private OutputStream output = OutputStream.nullOutputStream();
  private long headDeadline;
  private boolean answering;
  private long idleSince;

  DirectConnection(Timeouts timeouts) {
    this.timeouts = timeouts;
  }

  void connect(Origin origin, @Nullable SSLSocketFactory secured) throws IOException {
    InetSocketAddress address = new InetSocketAddress(origin.host(), origin.port());
    if (address.isUnresolved()) {
      throw new UnknownHostException("no address for host " + origin.host());
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(millis(timeouts.read()));
    socket.connect(address, millis(timeouts.connect()));
    Socket used = secured == null ? socket : secure(origin, secured);
    input = used.getInputStream();
    output = used.getOutputStream();
  }

  private Socket secure(Origin origin, SSLSocketFactory factory) throws IOException {
    SSLSocket secured =
        (SSLSocket) factory.createSocket(socket, origin.host(), origin.port(), true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    if (!origin.host().contains(":") && !origin.host().matches("[0-9.]+")) {
      parameters.setServerNames(List.of(new SNIHostName(origin.host())));
    }
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  /**
   * Sends a request and reads the head of its answer.
   *
   * @throws StaleConnectionException if the server had closed the connection before
   */
  ClassicHttpResponse exchange(byte[] request, boolean used)
      throws IOException, StaleConnectionException {
    headDeadline = System.nanoTime() + timeouts.connect().toNanos() + timeouts.read().toNanos();
    answering = false;
    try {
      output.write(request);
      output.flush();
      return head();
    } catch (SocketTimeoutException late) {
      throw late;
    } catch (IOException broken) {
      if (used && !answering) {
        throw new StaleConnectionException(broken);
      }
      throw broken;
    }
  }

  private ClassicHttpResponse head() throws IOException {
    try {
      for (int i = 0; i < MAX_INTERIM_ANSWERS; i++) {
        ClassicHttpResponse answer = parser.parse(buffered, heads);
        if (answer == null) {
          throw new EOFException("the connection was closed without an answer");
        }
        if (answer.getCode() >= 200) {
          socket.setSoTimeout(millis(timeouts.read()));
          return answer;
        }
      }
    } catch (HttpException | IllegalArgumentException e) {
      answering = true;
      throw new IOException("not an HTTP answer: " + e.getMessage(), e);
    }
    throw new IOException("too many interim answers");
  }

  /** Reads some bytes of the body, or returns -1 at the end of the connection. */
  int read(byte[] target, int offset, int length) throws IOException {
    return buffered.hasBufferedData()
        ? buffered.read(target, offset, length, input)
        : input.read(target, offset, length);
  }

  /** Returns true if bytes have arrived that belong to no answer. */
  boolean surplus() {
    return buffered.hasBufferedData();
  }

  void idleSince(long now) {
    idleSince = now;
  }

  long idleNanos(long now) {
    return now - idleSince;
  }

  void cut() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing more can be done for it, and nobody reads from it again.
      answering = true;
    }
  }

  private static int millis(Duration timeout) {
    return Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE);
  }

  /** Feeds the parser, which buffers: one call is a few reads of the socket at most. */
  private final class HeadInput extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      long left = headDeadline - System.nanoTime();
      if (left <= 0) {
        throw new SocketTimeoutException("the head of the answer came too slowly");
      }
      long most = Math.min(left, timeouts.read().toNanos());
      socket.setSoTimeout(millis(Duration.ofNanos(most)));
      int count = input.read(target, offset, length);
      answering |= count > 0;
      return count;
    }
  }

  /** Tells that a connection that had worked before ended before it answered. */
  static final class StaleConnectionException extends Exception {
    private static final long serialVersionUID = 1L;

    StaleConnectionException(IOException cause) {
      super(cause);
    }
  }
}
