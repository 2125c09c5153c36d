package io.quiver.benchmarks.doors;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One connection that asks for objects one after the other, and does nothing else: what a client
 * library adds to a request is no figure of the endpoint.
 */
final class PlainConnection implements AutoCloseable {
  private static final int MAX_HEAD_BYTES = 16 << 10;
  private static final String LENGTH = "content-length:";
  private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket = new Socket();
  private final InputStream input;
  private final String host;

  /**
   * Connects to a server of this machine.
   *
   * @param longest longest pause between two bytes
   */
  PlainConnection(int port, Duration longest) throws IOException {
    this.host = "127.0.0.1:" + port;
    try {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) longest.toMillis());
      socket.setSoTimeout((int) longest.toMillis());
      socket.setTcpNoDelay(true);
      this.input = new BufferedInputStream(socket.getInputStream(), 64 << 10);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Reads an object and returns the milliseconds until its first byte was here. */
  double firstByteMillis(String path) throws IOException {
    byte[] request =
        ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    long begin = System.nanoTime();
    socket.getOutputStream().write(request);
    String head = head();
    if (input.read() < 0) {
      throw new EOFException("the server closed the connection before the first byte");
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    if (!head.startsWith("HTTP/1.1 200 ")) {
      throw new IOException("the server answered " + head.lines().findFirst().orElse("nothing"));
    }
    input.skipNBytes(length(head) - 1);
    return millis;
  }

  private String head() throws IOException {
    StringBuilder head = new StringBuilder(512);
    for (int matched = 0; matched < END_OF_HEAD.length; ) {
      int next = input.read();
      if (next < 0 || head.length() == MAX_HEAD_BYTES) {
        throw new EOFException("the head of an answer does not end");
      }
      head.append((char) next);
      if (next == END_OF_HEAD[matched]) {
        matched++;
      } else {
        matched = next == END_OF_HEAD[0] ? 1 : 0;
      }
    }
    return head.toString();
  }

  private static long length(String head) throws IOException {
    for (String line : head.split("\r\n", -1)) {
      if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        return Long.parseLong(line.substring(LENGTH.length()).strip());
      }
    }
    throw new IOException("the answer does not state its length");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
