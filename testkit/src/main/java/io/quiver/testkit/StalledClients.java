package io.quiver.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Many connections to one server that each send the beginning of a request and then stand still.
 */
public final class StalledClients implements AutoCloseable {
  private final List<Socket> sockets = new ArrayList<>();

  /** Opens this many connections and sends the text and the zeros through each. */
  public StalledClients(int port, int count, String text, int zeros) throws IOException {
    byte[] head = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      sockets.add(socket);
      socket.getOutputStream().write(head);
      socket.getOutputStream().write(new byte[zeros]);
    }
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
