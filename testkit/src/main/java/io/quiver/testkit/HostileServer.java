package io.quiver.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server that does to each connection whatever a script says. */
public final class HostileServer implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("Content-Length: (\\d+)\r\n");

  private final ServerSocket listener;
  private final Script script;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Scripts one connection, which is closed when the script returns or throws. */
  @FunctionalInterface
  public interface Script {
    /** Talks to a client. */
    void run(Conversation conversation) throws IOException;
  }

  /** Listens on a port that the system chooses. */
  public HostileServer(Script script) {
    this.script = script;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("hostile-listener").start(this::listen);
  }

  private void listen() {
    try {
      while (true) {
        Socket socket = listener.accept();
        open.add(socket);
        int number = connections.getAndIncrement();
        Thread.ofVirtual().name("hostile").start(() -> serve(socket, number));
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void serve(Socket socket, int number) {
    try (socket) {
      script.run(new Conversation(this, socket, number));
    } catch (IOException e) {
      // The client went away, which is its right.
    } finally {
      open.remove(socket);
    }
  }

  /** Returns where it listens. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** Connections accepted so far. */
  public int connections() {
    return connections.get();
  }

  /** Requests read so far. */
  public int requests() {
    return requests.get();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One connection as a script sees it. */
  public static final class Conversation {
    private final HostileServer server;
    private final Socket socket;
    private final int number;
    private String line = "";

    private Conversation(HostileServer server, Socket socket, int number) {
      this.server = server;
      this.socket = socket;
      this.number = number;
    }

    /** Returns which connection this is, from zero. */
    public int number() {
      return number;
    }

    /** Reads a whole request and returns its body. */
    public ByteBuffer request() throws IOException {
      InputStream input = socket.getInputStream();
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
        int next = input.read();
        if (next < 0) {
          throw new IOException("the client is gone");
        }
        head.write(next);
      }
      Matcher length = LENGTH.matcher(head.toString(StandardCharsets.US_ASCII));
      int bytes = length.find() ? Integer.parseInt(length.group(1)) : 0;
      ByteBuffer body = ByteBuffer.wrap(input.readNBytes(bytes));
      line = head.toString(StandardCharsets.US_ASCII).lines().findFirst().orElse("");
      server.requests.incrementAndGet();
      return body;
    }

    /** Returns the first line of the request that was read last. */
    public String line() {
      return line;
    }

    /** Sends text as it is. */
    public void send(String text) throws IOException {
      send(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Sends bytes as they are. */
    public void send(ByteBuffer bytes) throws IOException {
      OutputStream output = socket.getOutputStream();
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      output.write(copy);
      output.flush();
    }

    /** Sends a proper answer with this body. */
    public void answer(ByteBuffer body) throws IOException {
      send("HTTP/1.1 200 OK\r\nContent-Length: " + body.remaining() + "\r\n\r\n");
      send(body);
    }

    /** Reads until the client closes, however long that takes. */
    public void silence() throws IOException {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    /** Closes with a reset instead of a proper end. */
    public void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }
}
