package io.quiver.remote.http;

import static java.time.ZoneOffset.UTC;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A well-behaved web server with ranges and entity tags, in this process. */
final class WebTestServer implements AutoCloseable {
  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]+)-([0-9]*)");

  /** A request that was received. */
  record Asked(String method, String path, Map<String, List<String>> headers) {}

  final Map<String, byte[]> files = new ConcurrentHashMap<>();
  volatile String changed = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(UTC));
  final Map<String, String> redirects = new ConcurrentHashMap<>();
  final List<Asked> asked = new CopyOnWriteArrayList<>();
  volatile boolean knowsRanges = true;
  volatile boolean knowsHead = true;
  volatile boolean knowsTags = true;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final String scheme;

  private WebTestServer(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  static WebTestServer start() throws IOException {
    return new WebTestServer(HttpServer.create(loopback(), 0), "http");
  }

  static WebTestServer startTls(SSLContext context) throws IOException {
    HttpsServer server = HttpsServer.create(loopback(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return new WebTestServer(server, "https");
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  String url(String path) {
    return scheme + "://localhost:" + server.getAddress().getPort() + path;
  }

  void put(String path, String text) {
    files.put(path, text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      asked.add(
          new Asked(exchange.getRequestMethod(), path, Map.copyOf(exchange.getRequestHeaders())));
      String redirect = redirects.get(path);
      byte[] file = files.get(path);
      if (redirect != null) {
        exchange.getResponseHeaders().set("Location", redirect);
        exchange.sendResponseHeaders(302, -1);
      } else if (file == null) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        answer(exchange, file);
      }
    }
  }

  private void answer(HttpExchange exchange, byte[] file) throws IOException {
    String tag = "\"" + Arrays.hashCode(file) + "-" + file.length + "\"";
    if (knowsTags) {
      exchange.getResponseHeaders().set("ETag", tag);
    }
    if (!changed.isEmpty()) {
      exchange.getResponseHeaders().set("Last-Modified", changed);
    }
    String condition = exchange.getRequestHeaders().getFirst("If-Match");
    String time = exchange.getRequestHeaders().getFirst("If-Unmodified-Since");
    boolean unmet =
        (condition != null && !condition.equals(tag)) || (time != null && !time.equals(changed));
    if (unmet) {
      exchange.sendResponseHeaders(412, -1);
    } else if (exchange.getRequestMethod().equals("HEAD")) {
      head(exchange, file);
    } else {
      body(exchange, file, exchange.getRequestHeaders().getFirst("Range"));
    }
  }

  private void head(HttpExchange exchange, byte[] file) throws IOException {
    if (knowsHead) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(file.length));
    }
    exchange.sendResponseHeaders(knowsHead ? 200 : 405, -1);
  }

  private void body(HttpExchange exchange, byte[] file, @Nullable String header)
      throws IOException {
    Matcher range = RANGE.matcher(header == null || !knowsRanges ? "" : header);
    if (!range.matches()) {
      send(exchange, 200, file);
      return;
    }
    long first = Long.parseLong(range.group(1));
    long last = range.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(range.group(2));
    last = Math.min(last, file.length - 1);
    if (first >= file.length) {
      exchange.getResponseHeaders().set("Content-Range", "bytes */" + file.length);
      exchange.sendResponseHeaders(416, -1);
      return;
    }
    exchange
        .getResponseHeaders()
        .set("Content-Range", "bytes " + first + "-" + last + "/" + file.length);
    send(exchange, 206, Arrays.copyOfRange(file, (int) first, (int) last + 1));
  }

  private static void send(HttpExchange exchange, int status, byte[] bytes) throws IOException {
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
