package io.quiver.remote;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A web server that breaks in every way a test asks for, byte by byte. One object is served at
 * every path; what happens to the n-th request is up to the script.
 */
public final class HostileObjectServer implements AutoCloseable {
  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]+)-([0-9]*)");

  /** A request as it came. */
  public record Request(String method, String path, Map<String, String> headers) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  /** Answers one request; the connection is closed afterwards if it returns false. */
  public interface Reply {
    boolean to(Request request, Socket socket) throws IOException, InterruptedException;
  }

  /** Picks the reply for the n-th request, counted from zero. */
  public interface Script {
    Reply reply(int number, Request request);
  }

  final List<Request> requests = new CopyOnWriteArrayList<>();
  final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  final CountDownLatch closed = new CountDownLatch(1);
  final CountDownLatch stalled = new CountDownLatch(1);
  private final ServerSocket listener;
  private final Script script;
  private final byte[] content;

  HostileObjectServer(byte[] content, Script script) throws IOException {
    this(content, self -> script);
  }

  /** Starts a server whose script uses its own replies. */
  public HostileObjectServer(byte[] content, Function<HostileObjectServer, Script> script)
      throws IOException {
    this.content = content;
    this.script = script.apply(this);
    this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public String url(String path) {
    return "http://127.0.0.1:" + listener.getLocalPort() + path;
  }

  /** Returns the paths asked for, in order. */
  public List<String> paths() {
    return requests.stream().map(Request::path).toList();
  }

  /** Returns a correct answer. */
  public Reply good() {
    return partial("\"tag\"", Integer.MAX_VALUE, false);
  }

  /** Returns a correct answer with another version of the object. */
  Reply goodWithTag(String tag) {
    return partial(tag, Integer.MAX_VALUE, false);
  }

  /** Announces everything, sends some of it, then ends the connection or resets it. */
  Reply cutAfter(int bytes, boolean reset) {
    return partial("\"tag\"", bytes, reset);
  }

  /** Announces everything, sends some of it and then nothing more. */
  Reply stallAfter(int bytes) {
    return (request, socket) -> {
      partial("\"tag\"", bytes, false).to(request, socket);
      return stallNow();
    };
  }

  /** Takes the request and never answers. */
  Reply silence() {
    return (request, socket) -> stallNow();
  }

  /** Returns a reply that is only a status. */
  Reply status(int status, String... headers) {
    return raw(
        "HTTP/1.1 "
            + status
            + " Refused\r\nContent-Length: 0\r\n"
            + String.join("", Arrays.stream(headers).map(header -> header + "\r\n").toList())
            + "\r\n",
        new byte[0],
        true);
  }

  /** Returns a reply of exactly these bytes. */
  Reply raw(String head, byte[] body, boolean keep) {
    return (request, socket) -> {
      OutputStream output = socket.getOutputStream();
      output.write(head.getBytes(StandardCharsets.ISO_8859_1));
      output.write(body);
      output.flush();
      return keep;
    };
  }

  /** Waits until the client has closed all its connections; false if it does not. */
  boolean awaitNoConnections() throws InterruptedException {
    long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    synchronized (connections) {
      while (!connections.isEmpty() && System.nanoTime() < patience) {
        TimeUnit.SECONDS.timedWait(connections, 1);
      }
      return connections.isEmpty();
    }
  }

  private boolean stallNow() throws InterruptedException {
    stalled.countDown();
    if (!closed.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("a test left a stalled connection behind");
    }
    return false;
  }

  private Reply partial(String tag, int most, boolean reset) {
    return (request, socket) -> {
      int from = 0;
      int to = content.length;
      Matcher range = RANGE.matcher(request.header("range"));
      if (range.matches()) {
        from = Integer.parseInt(range.group(1));
        to = range.group(2).isEmpty() ? to : Math.min(to, Integer.parseInt(range.group(2)) + 1);
      }
      String head =
          "HTTP/1.1 "
              + (range.matches() ? 206 : 200)
              + " OK\r\nETag: "
              + tag
              + "\r\nContent-Length: "
              + (to - from)
              + (range.matches()
                  ? "\r\nContent-Range: bytes " + from + "-" + (to - 1) + "/" + content.length
                  : "")
              + "\r\n\r\n";
      boolean whole = to - from <= most;
      byte[] body = Arrays.copyOfRange(content, from, whole ? to : from + most);
      boolean headOnly = request.method().equals("HEAD");
      raw(head, headOnly ? new byte[0] : body, true).to(request, socket);
      if (!whole && reset) {
        socket.setSoLinger(true, 0);
      }
      return whole || headOnly;
    };
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        connections.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException stopped) {
      closed.countDown();
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream input = new BufferedInputStream(socket.getInputStream());
      for (Request request = parse(input); request != null; request = parse(input)) {
        int number;
        synchronized (requests) {
          number = requests.size();
          requests.add(request);
        }
        if (!script.reply(number, request).to(request, socket)) {
          return;
        }
      }
    } catch (IOException gone) {
      // The client went away, which is its right.
      return;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      synchronized (connections) {
        connections.remove(socket);
        connections.notifyAll();
      }
    }
  }

  private static @Nullable Request parse(InputStream input) throws IOException {
    String first = line(input);
    if (first.isEmpty()) {
      return null;
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(input); !line.isEmpty(); line = line(input)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    List<String> parts = Arrays.asList(first.split(" ", -1));
    return new Request(parts.get(0), parts.get(1), headers);
  }

  private static String line(InputStream input) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = input.read(); next >= 0 && next != '\n'; next = input.read()) {
      line.append((char) next);
    }
    return line.toString().strip();
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      listener.close();
      for (Socket socket : connections) {
        socket.close();
      }
    } catch (IOException failure) {
      throw new IllegalStateException("the hostile server did not stop", failure);
    }
  }
}
