package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.http.ByteBudget;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.memory.MemoryBlobStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A server over a store in memory, with a look at what it holds on to. */
final class TestServer implements AutoCloseable {
  static final long MAX_BLOB = 4 << 20;

  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final long POLL_NANOS = 200_000;

  final BlobStore store;
  final CacheServer server;

  /** Moves the server's clock ahead of the real one. */
  final AtomicLong skewNanos = new AtomicLong();

  TestServer() throws IOException {
    this(UnaryOperator.identity());
  }

  TestServer(UnaryOperator<ServerConfig> change) throws IOException {
    this(new MemoryBlobStore(256 << 20, MAX_BLOB), change);
  }

  TestServer(BlobStore store, UnaryOperator<ServerConfig> change) throws IOException {
    this.store = store;
    ServerConfig config = ServerConfig.on("127.0.0.1", 0).withMaxBlobBytes(MAX_BLOB);
    this.server =
        CacheServer.start(change.apply(config), store, () -> System.nanoTime() + skewNanos.get());
  }

  TestClient client() throws IOException {
    return TestClient.connect(server.address());
  }

  /** Stores a blob of random bytes and returns them. */
  byte[] stored(Random random, int length) {
    byte[] content = new byte[length];
    random.nextBytes(content);
    assertThat(store.put(ContentHash.ofContent(content), SpaceId.DEFAULT, ByteBuffer.wrap(content)))
        .isIn(PutOutcome.STORED, PutOutcome.ALREADY_HERE);
    return content;
  }

  ServerMetrics metrics() {
    return server.metrics();
  }

  ByteBudget budget() {
    return server.budget();
  }

  /** Returns a value of the metrics. */
  long gauge(String name) {
    return metricsText()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  String metricsText() {
    try (TestClient client = client()) {
      return client.ask("GET /metrics").text();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for something another thread is about to do. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() < deadline).as("waited %s for: %s", BOUND, what).isTrue();
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Checks that the server still answers and holds nothing once the clients are gone. */
  void assertHealthyAndEmpty() throws IOException {
    try (TestClient client = client()) {
      assertThat(client.ask("GET /healthz").status()).isEqualTo(200);
    }
    await("no connections", () -> server.connections() == 0);
    await("no bytes in flight", () -> server.budget().heldBytes() == 0);
    await("no control bytes", () -> gauge("quiver_control_bytes") == 0);
    await("no buffers lent", () -> gauge("quiver_buffers_lent") == 0);
    await("no connections", () -> server.connections() == 0);
    await("no requests in flight", () -> server.metrics().requestsInFlight() == 0);
  }

  @Override
  public void close() throws IOException {
    server.close();
    store.close();
  }
}
