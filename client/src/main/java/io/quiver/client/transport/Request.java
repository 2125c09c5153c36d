package io.quiver.client.transport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A request, which may be sent several times.
 *
 * @param method HTTP method
 * @param path the path of the endpoint
 * @param headers further header lines, each ending with CR LF
 * @param frame the first part of the body
 * @param payloads the rest of the body
 */
public record Request(
    String method, String path, String headers, ByteBuffer frame, List<ByteBuffer> payloads) {
  /** Returns the bytes of the request to a host, in buffers of their own positions. */
  ByteBuffer[] bytes(String host) {
    long length = frame.remaining();
    ByteBuffer[] buffers = new ByteBuffer[2 + payloads.size()];
    for (int i = 0; i < payloads.size(); i++) {
      buffers[2 + i] = payloads.get(i).duplicate();
      length += buffers[2 + i].remaining();
    }
    buffers[0] = StandardCharsets.US_ASCII.encode(head(host, length));
    buffers[1] = frame.duplicate();
    return buffers;
  }

  private String head(String host, long length) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: "
        + host
        + "\r\n"
        + headers
        + "Content-Length: "
        + length
        + "\r\n\r\n";
  }
}
