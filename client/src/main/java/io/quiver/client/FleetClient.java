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
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** The client of a set of servers that may change. */
final class FleetClient implements CacheClient {
  private static final Duration SHORTEST_REST = Duration.ofMillis(100);
  private static final Duration LONGEST_REST = Duration.ofSeconds(30);
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private final CallGate gate = new CallGate();
  private final Counters counters = new Counters();
  private final BufferPool buffers;
  private final Fleet fleet;
  private final GetPart.Context context;
  private final Watchdog watchdog;

  FleetClient(ClientConfig config, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    buffers = new BufferPool(config.bufferBytes(), config.paranoid());
    LinkConfig link = linkConfig(config);
    Secured secured = new Secured(config);
    fleet =
        new Fleet(
            config.servers().stream().map(ServerAddress::of).toList(),
            server -> connect(Endpoint.of(server.uri()), link, secured));
    context =
        new GetPart.Context(
            new Questions(config), buffers, counters, config.maxBlobBytes(), nanoTime);
    watchdog = new Watchdog(patrolPause(config), this::patrol);
  }

  private ServerLink connect(Endpoint server, LinkConfig link, Secured secured) {
    @Nullable SSLSocketFactory sockets = server.encrypted() ? secured.sockets() : null;
    return new ServerLink(server, link, sockets, nanoTime, counters.traffic());
  }

  /** Reading the platform's authorities takes a while: only when they are needed, and once. */
  private static final class Secured {
    private final ClientConfig config;
    private @Nullable SSLSocketFactory sockets;

    Secured(ClientConfig config) {
      this.config = config;
    }

    synchronized SSLSocketFactory sockets() {
      SSLSocketFactory known = sockets;
      if (known == null) {
        known = TrustedSockets.factory(config.trust());
        sockets = known;
      }
      return known;
    }
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
    fleet.links().forEach(link -> link.patrol(now));
    buffers.checkForgotten();
  }

  @Override
  public BlobAnswer get(Question question) {
    BlobAnswer answer = inside(owners -> new GetCall(owners, context, question).run());
    counters.answered(answer);
    return answer;
  }

  @Override
  public Lookup lookup(List<ContentHash> hashes, boolean claim) {
    return inside(owners -> new LookupCall(owners, context, hashes, claim).run());
  }

  @Override
  public PutAnswer put(List<Blob> blobs, long plan) {
    return inside(owners -> new PutCall(owners, context, blobs, plan).run());
  }

  @Override
  public void changeServers(List<ServerAddress> servers) {
    fleet.replace(servers);
  }

  private <T> T inside(Function<Owners, T> call) {
    gate.enter();
    Fleet.Formation servers = fleet.enter();
    try {
      return call.apply(servers.owners());
    } finally {
      fleet.leave(servers);
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
    fleet.links().forEach(ServerLink::close);
    buffers.stop();
    gate.awaitEmpty(LONGEST_GOODBYE);
    watchdog.close();
    buffers.close();
  }
}
