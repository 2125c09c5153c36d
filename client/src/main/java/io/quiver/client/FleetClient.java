package io.quiver.client;

import io.quiver.client.buffer.BufferPool;
import io.quiver.client.transport.Endpoint;
import io.quiver.client.transport.LinkConfig;
import io.quiver.client.transport.ServerLink;
import io.quiver.client.transport.TrustedSockets;
import io.quiver.client.transport.Watchdog;
import io.quiver.core.hash.ContentHash;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** The client of a fixed set of servers. */
final class FleetClient implements CacheClient {
  private static final Duration SHORTEST_REST = Duration.ofMillis(100);
  private static final Duration LONGEST_REST = Duration.ofSeconds(30);
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private final CallGate gate = new CallGate();
  private final Counters counters = new Counters();
  private final BufferPool buffers;
  private final List<ServerLink> links;
  private final Owners owners;
  private final GetPart.Context context;
  private final Watchdog watchdog;

  FleetClient(ClientConfig config, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    buffers = new BufferPool(config.bufferBytes(), config.paranoid());
    @Nullable SSLSocketFactory secured = secured(config);
    LinkConfig link = linkConfig(config);
    links =
        config.servers().stream()
            .map(Endpoint::of)
            .map(server -> new ServerLink(server, link, secured, nanoTime, counters.traffic()))
            .toList();
    owners = new Owners(links);
    context =
        new GetPart.Context(
            new Questions(config), buffers, counters, config.maxBlobBytes(), nanoTime);
    watchdog = new Watchdog(patrolPause(config), this::patrol);
  }

  /** Reading the platform's authorities takes a while: only when they are needed. */
  private static @Nullable SSLSocketFactory secured(ClientConfig config) {
    boolean encrypted = config.servers().stream().map(Endpoint::of).anyMatch(Endpoint::encrypted);
    return encrypted ? TrustedSockets.factory(config.trust()) : null;
  }

  private static LinkConfig linkConfig(ClientConfig config) {
    return new LinkConfig(
        config.connectionsPerServer(),
        config.connectTimeout(),
        config.requestTimeout(),
        IDLE_TIMEOUT,
        config.retries(),
        SHORTEST_REST,
        LONGEST_REST);
  }

  /** Often enough that a timeout is at most an eighth late. */
  private static Duration patrolPause(ClientConfig config) {
    long shortest =
        Math.min(config.connectTimeout().toMillis(), config.requestTimeout().toMillis());
    return Duration.ofMillis(Math.clamp(shortest / 8, 2, 250));
  }

  private void patrol() {
    long now = nanoTime.getAsLong();
    links.forEach(link -> link.patrol(now));
    buffers.checkForgotten();
  }

  @Override
  public BlobAnswer get(Question question) {
    BlobAnswer answer = inside(() -> new GetCall(owners, context, question).run());
    counters.answered(answer);
    return answer;
  }

  @Override
  public Lookup lookup(List<ContentHash> hashes, boolean claim) {
    return inside(() -> new LookupCall(owners, context, hashes, claim).run());
  }

  @Override
  public PutAnswer put(List<Blob> blobs) {
    return inside(() -> new PutCall(owners, context, blobs).run());
  }

  private <T> T inside(Supplier<T> call) {
    gate.enter();
    try {
      return call.get();
    } finally {
      gate.leave();
    }
  }

  @Override
  public ClientStatistics statistics() {
    return counters.now();
  }

  @Override
  public void close() {
    if (!gate.shut()) {
      return;
    }
    links.forEach(ServerLink::close);
    buffers.stop();
    gate.awaitEmpty(LONGEST_GOODBYE);
    watchdog.close();
    buffers.close();
  }
}
