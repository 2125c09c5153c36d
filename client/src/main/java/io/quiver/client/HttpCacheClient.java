package io.quiver.client;

import io.quiver.client.buffer.BufferPool;
import io.quiver.client.transport.ServerEndpoint;
import io.quiver.client.transport.ServerLink;
import io.quiver.client.transport.ServerLink.LinkConfig;
import io.quiver.client.transport.Watchdog;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.http.TlsConfig;
import io.quiver.http.TlsFiles;
import io.quiver.protocol.RankFrame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Implements the client over a set of servers that may change. */
final class HttpCacheClient implements CacheClient {
  private static final Duration SHORTEST_REST = Duration.ofMillis(100);
  private static final Duration LONGEST_REST = Duration.ofSeconds(30);
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private final CallGate gate = new CallGate();
  private final ClientCounters counters = new ClientCounters();
  private final BufferPool buffers;
  private final ServerSet servers;
  private final GetPart.Context context;
  private final Watchdog watchdog;

  HttpCacheClient(ClientConfig config, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    buffers = new BufferPool(config.bufferBytes(), config.paranoid());
    LinkConfig link = linkConfig(config);
    Secured secured = new Secured(config);
    servers =
        new ServerSet(
            config.servers().stream().map(ServerAddress::of).toList(),
            server -> connect(ServerEndpoint.of(server.uri()), link, secured));
    context =
        new GetPart.Context(
            new RequestFactory(config), buffers, counters, config.maxBlobBytes(), nanoTime);
    watchdog = new Watchdog(checkPause(config), this::closeExpired);
  }

  private ServerLink connect(ServerEndpoint server, LinkConfig link, Secured secured) {
    @Nullable SSLSocketFactory sockets = server.encrypted() ? secured.sockets() : null;
    return new ServerLink(server, link, sockets, nanoTime, counters.traffic());
  }

  /**
   * Holds the trusted sockets, made once and only when needed, because reading the platform's
   * authorities takes a while.
   */
  private static final class Secured {
    private final ClientConfig config;
    private @Nullable SSLSocketFactory sockets;

    Secured(ClientConfig config) {
      this.config = config;
    }

    synchronized SSLSocketFactory sockets() {
      SSLSocketFactory known = sockets;
      if (known == null) {
        known = factory(config.credentials().tls());
        sockets = known;
      }
      return known;
    }
  }

  private static SSLSocketFactory factory(TlsConfig tls) {
    try {
      return TlsFiles.load(tls).getSocketFactory();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot trust "
              + tls.trust().map(Path::toString).orElse("the platform's certificates")
              + "; a file of PEM certificates is needed: "
              + e.getMessage(),
          e);
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

  /** Returns the pause between checks for late requests: a timeout is at most an eighth late. */
  private static Duration checkPause(ClientConfig config) {
    long shortest =
        Math.min(config.connectTimeout().toMillis(), config.requestTimeout().toMillis());
    return Duration.ofMillis(Math.clamp(shortest / 8, 2, 250));
  }

  private void closeExpired() {
    long now = nanoTime.getAsLong();
    servers.links().forEach(link -> link.closeExpired(now));
    buffers.checkForgotten();
  }

  @Override
  public BlobAnswer get(GetRequest request) {
    return get(new Inquiry.Blobs(request));
  }

  @Override
  public BlobAnswer read(List<BlobPart> parts) {
    return get(new Inquiry.Parts(parts));
  }

  private BlobAnswer get(Inquiry inquiry) {
    BlobAnswer answer = inside(splitter -> new GetCall(splitter, context, inquiry).run());
    counters.answered(answer);
    return answer;
  }

  @Override
  public NameLookup resolve(List<BlockName> names, boolean claim) {
    return inside(splitter -> new ResolveCall(splitter, context, names, claim).run());
  }

  @Override
  public List<Boolean> bind(SpaceId space, List<NameBinding> bindings, long plan) {
    String fields = RequestFactory.fields(plan, RankingJob.NO_POSITION);
    return inside(splitter -> new BindCall(splitter, context, space, bindings, fields).run());
  }

  @Override
  public Lookup lookup(List<ContentHash> hashes, boolean claim) {
    return inside(splitter -> new LookupCall(splitter, context, hashes, claim).run());
  }

  @Override
  public PutAnswer put(List<Blob> blobs, long plan, long position) {
    String fields = RequestFactory.fields(plan, position);
    return inside(splitter -> new PutCall(splitter, context, blobs, fields).run());
  }

  @Override
  public RankAnswer rank(SpaceId space, List<RankFrame.Row> rows, long plan, long position) {
    String fields = RequestFactory.fields(plan, position);
    return inside(splitter -> new RankCall(splitter, context, space, rows, fields).run());
  }

  @Override
  public void changeServers(List<ServerAddress> addresses) {
    servers.replace(addresses);
  }

  private <T> T inside(Function<BatchSplitter, T> call) {
    gate.enter();
    ServerSet.Snapshot current = servers.enter();
    try {
      return call.apply(current.splitter());
    } finally {
      servers.leave(current);
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
    servers.links().forEach(ServerLink::close);
    buffers.stop();
    gate.awaitEmpty(LONGEST_GOODBYE);
    watchdog.close();
    buffers.close();
  }
}
