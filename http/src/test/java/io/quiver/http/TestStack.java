package io.quiver.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A small server on the stack, with one route for each way to answer. */
final class TestStack implements AutoCloseable {
  static final long BUDGET_BYTES = 1 << 20;
  static final int MAX_BODY = 100_000;
  static final int CONNECTIONS = 100;

  final ByteBudget bodies = new ByteBudget(BUDGET_BYTES, Duration.ofSeconds(10));

  /** Opened when a handler that sends for ever finds that its peer is gone. */
  final CountDownLatch endless = new CountDownLatch(1);

  /** Bodies that are being read, or were. */
  final AtomicInteger bodiesBegun = new AtomicInteger();

  final HttpServer server;

  record Line(String method, String path, long maxBodyBytes, Set<Role> roles) implements Route {
    @Override
    public boolean takesJson() {
      return false;
    }
  }

  /** Starts a server that knows these tokens and cuts bodies and answers that stand still. */
  TestStack(Path tokens, Duration stall) throws IOException {
    this(tokens, stall, Duration.ofSeconds(30));
  }

  /** Starts a server that also cuts heads that take longer than this. */
  TestStack(Path tokens, Duration stall, Duration head) throws IOException {
    Routes routes = new Routes(AccessControl.of(tokens), "try /open");
    Set<Role> all = Role.EVERYBODY;
    routes.add(new Line("GET", "/open", 0, all), exchange -> text(exchange, "open"));
    routes.add(new Line("GET", "/open/door", 0, all), exchange -> text(exchange, "door"));
    routes.add(new Line("GET", "/jobs", 0, Set.of(Role.JOB)), exchange -> text(exchange, "in"));
    routes.add(
        new Line("GET", "/name/{name}", 0, all),
        exchange -> text(exchange, exchange.pathValue("name") + "|" + exchange.parameter("q")));
    routes.add(new Line("GET", "/chunks", 0, all), TestStack::chunks);
    routes.add(new Line("GET", "/broken", 0, all), TestStack::broken);
    routes.add(new Line("GET", "/events", 0, all), TestStack::events);
    routes.add(new Line("GET", "/endless", 0, all), this::endless);
    routes.add(new Line("POST", "/echo", MAX_BODY, all), this::echo);
    HttpServer.Setup setup =
        new HttpServer.Setup(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            CONNECTIONS,
            0,
            new RequestTimeouts.Limits(Duration.ofSeconds(30), head, stall),
            Duration.ZERO,
            null,
            System::nanoTime);
    server =
        new HttpServer(
            setup, bodies::contended, new DirectBuffers(4096, 4), routes, TrafficListener.NONE);
  }

  int port() {
    return server.address().getPort();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private static void text(Exchange exchange, String text) throws IOException {
    exchange.answer(200, "text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  private void echo(Exchange exchange) throws IOException, Refusal {
    bodiesBegun.incrementAndGet();
    try (WholeBody body = WholeBody.read(exchange.body(), bodies)) {
      exchange.answer(200, "text/plain", body.bytes());
    }
  }

  private static void chunks(Exchange exchange) throws IOException {
    try (ChunkedAnswer answer = exchange.beginChunked(200, "text/plain", Map.of())) {
      for (int i = 0; i < 20_000; i++) {
        answer.write((i + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  private static void broken(Exchange exchange) throws IOException {
    ChunkedAnswer answer = exchange.beginChunked(200, "text/plain", Map.of());
    answer.write(new byte[] {'x'});
    answer.flush();
    throw new IOException("fails half way");
  }

  private static void events(Exchange exchange) throws IOException {
    try (EventStream stream = new EventStream(exchange)) {
      stream.send("plan", "7", "one\ntwo");
      stream.keepAlive();
    }
  }

  private void endless(Exchange exchange) throws IOException {
    try (EventStream stream = new EventStream(exchange)) {
      while (true) {
        stream.send("plan", "1", "x".repeat(1000));
      }
    } finally {
      endless.countDown();
    }
  }
}
