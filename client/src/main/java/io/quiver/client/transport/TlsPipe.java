package io.quiver.client.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Carries bytes over TLS; the server's certificate must be trusted and name its host. */
final class TlsPipe implements Pipe {
  private static final int CHUNK_BYTES = 16 << 10;

  private final ServerEndpoint endpoint;
  private final SSLSocketFactory factory;
  // Cutting the TCP connection below never waits, unlike closing the TLS one.
  private final Socket socket = new Socket();
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private @Nullable InputStream input;
  private @Nullable OutputStream output;

  TlsPipe(ServerEndpoint endpoint, SSLSocketFactory factory) {
    this.endpoint = endpoint;
    this.factory = factory;
  }

  @Override
  public void connect() throws IOException {
    socket.setTcpNoDelay(true);
    socket.connect(endpoint.address());
    SSLSocket secured =
        (SSLSocket) factory.createSocket(socket, endpoint.host(), endpoint.port(), true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    if (!endpoint.host().contains(":") && !endpoint.host().matches("[0-9.]+")) {
      parameters.setServerNames(List.of(new SNIHostName(endpoint.host())));
    }
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    input = secured.getInputStream();
    output = secured.getOutputStream();
  }

  @Override
  public void write(ByteBuffer[] buffers) throws IOException {
    OutputStream stream = requireConnected(output);
    for (ByteBuffer buffer : buffers) {
      while (buffer.hasRemaining()) {
        int bytes = Math.min(chunk.length, buffer.remaining());
        buffer.get(chunk, 0, bytes);
        stream.write(chunk, 0, bytes);
      }
    }
    stream.flush();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    InputStream stream = requireConnected(input);
    int bytes = stream.read(chunk, 0, Math.min(chunk.length, target.remaining()));
    if (bytes > 0) {
      target.put(chunk, 0, bytes);
    }
    return bytes;
  }

  private static <T> T requireConnected(@Nullable T stream) throws IOException {
    if (stream == null) {
      throw new IOException("not connected");
    }
    return stream;
  }

  @Override
  public void cut() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing more can be done for it, and nobody reads from it again.
    }
  }
}
