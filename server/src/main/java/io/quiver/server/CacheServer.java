package io.quiver.server;

import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.http.AdvertisedAddress;
import io.quiver.http.ByteBudget;
import io.quiver.http.DirectBuffers;
import io.quiver.http.HttpServer;
import io.quiver.http.RequestHandler;
import io.quiver.http.RequestTimeouts;
import io.quiver.http.Routes;
import io.quiver.http.ServerTls;
import io.quiver.protocol.Wire;
import io.quiver.server.blobs.BatchGet;
import io.quiver.server.blobs.BatchLookup;
import io.quiver.server.blobs.BatchPut;
import io.quiver.server.blobs.BatchRank;
import io.quiver.server.blobs.Claims;
import io.quiver.server.blobs.InsertWorkers;
import io.quiver.server.blobs.NameBind;
import io.quiver.server.blobs.NameResolve;
import io.quiver.server.blobs.SinglePut;
import io.quiver.server.blobs.SingleRead;
import io.quiver.server.blobs.Spaces;
import io.quiver.server.keep.SpaceKeepers;
import io.quiver.server.keep.StreamMeters;
import io.quiver.server.metrics.Endpoint;
import io.quiver.server.metrics.ServerGauge;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.plan.AppliedSpaces;
import io.quiver.server.plan.PlannedServer;
import io.quiver.server.plan.PlannedSpaces;
import io.quiver.server.plan.SlotFollower;
import io.quiver.server.plan.SpacePlan;
import io.quiver.server.plan.UnplannedSpaces;
import io.quiver.store.BlobStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache server: HTTP/1.1 over a blob store, one thread for each connection.
 *
 * <p>The server does not own the store; whoever opened the store closes it after the server.
 */
public final class CacheServer implements PlannedServer, AutoCloseable {
  /** Heads and small payloads leave through buffers of this length. */
  private static final int STAGING_BYTES = 64 << 10;

  /** Inserts are received in groups of this length. */
  private static final int GROUP_BYTES = 1 << 20;

  private static final int KEPT_BUFFERS = 32;

  /** Connections that have a thread of the operating system. */
  private static final int PLATFORM_THREADS = 256;

  private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);

  /** Questions and documents being read hold this many bytes together. */
  private static final long CONTROL_BYTES = 32L << 20;

  private final ServerConfig config;
  private final ServerMetrics metrics;
  private final ByteBudget budget;
  private final ByteBudget questions;
  private final Claims claims;
  private final SpaceKeepers keepers;
  private final PlannedSpaces planned;
  private final SlotFollower slots;
  private final StreamMeters streamMeters = new StreamMeters();
  private final DirectBuffers staging = new DirectBuffers(STAGING_BYTES, KEPT_BUFFERS);
  private final DirectBuffers groups = new DirectBuffers(GROUP_BYTES, KEPT_BUFFERS);
  private final InsertWorkers inserter;
  private final HttpServer http;

  private CacheServer(ServerConfig config, BlobStore store, LongSupplier nanoTime)
      throws IOException {
    this.config = config;
    this.metrics = new ServerMetrics(nanoTime);
    this.keepers = new SpaceKeepers(store);
    this.planned = new PlannedSpaces(store, keepers);
    this.slots = new SlotFollower(store, config.name());
    this.budget = new ByteBudget(config.limits().inFlightBytes(), config.timeouts().budget());
    this.questions = new ByteBudget(CONTROL_BYTES, config.timeouts().budget());
    this.claims = new Claims(config.timeouts().claimLease(), config.limits().claims(), nanoTime);
    @Nullable ServerTls tls = config.tls().isPresent() ? ServerTls.of(config.tls().get()) : null;
    this.inserter =
        new InsertWorkers(
            store,
            keepers,
            planned,
            slots,
            new UnplannedSpaces(store, planned, nanoTime),
            claims,
            metrics,
            Runtime.getRuntime().availableProcessors());
    HttpServer.Setup setup =
        new HttpServer.Setup(
            new InetSocketAddress(config.host(), config.port()),
            config.limits().connections(),
            PLATFORM_THREADS,
            new RequestTimeouts.Limits(
                config.timeouts().idle(), config.timeouts().request(), config.timeouts().stall()),
            CLOSE_GRACE,
            tls,
            nanoTime);
    Routes routes = new Routes(config.access(), "GET " + Wire.STATUS_PATH + " is");
    config.names().forEach(routes::knownAs);
    Map<Endpoint, RequestHandler> handlers = handlers(store);
    for (Endpoint endpoint : Endpoint.table()) {
      routes.add(endpoint, Objects.requireNonNull(handlers.get(endpoint), endpoint.path()));
    }
    try {
      this.http =
          new HttpServer(
              setup,
              caller -> budget.contended(caller) || questions.contended(caller),
              staging,
              routes,
              new TrafficCounts(metrics));
    } catch (IOException e) {
      inserter.close();
      throw e;
    }
  }

  /** Binds the port and serves the store until closed. */
  public static CacheServer start(ServerConfig config, BlobStore store) throws IOException {
    return start(config, store, System::nanoTime);
  }

  /** Starts a server with a clock of one's own for claims and timeouts. */
  static CacheServer start(ServerConfig config, BlobStore store, LongSupplier nanoTime)
      throws IOException {
    return new CacheServer(config, store, nanoTime);
  }

  private Map<Endpoint, RequestHandler> handlers(BlobStore store) {
    Map<Endpoint, RequestHandler> handlers = new EnumMap<>(Endpoint.class);
    long maxBlob = config.limits().blobBytes();
    handlers.put(
        Endpoint.GET,
        new BatchGet(store, claims, questions, budget, config.limits().responseBytes(), metrics));
    handlers.put(Endpoint.LOOKUP, new BatchLookup(store, claims, questions, metrics));
    handlers.put(
        Endpoint.PUT,
        new BatchPut(
            inserter,
            keepers,
            questions,
            budget,
            groups,
            maxBlob,
            config.limits().connectionInFlightBytes()));
    handlers.put(Endpoint.RANK, new BatchRank(inserter, keepers, planned, questions, metrics));
    handlers.put(Endpoint.RESOLVE, new NameResolve(store, claims, questions, metrics));
    handlers.put(Endpoint.BIND, new NameBind(inserter, questions));
    handlers.put(
        Endpoint.READ, new SingleRead(store, budget, config.limits().responseBytes(), metrics));
    handlers.put(Endpoint.INSERT, new SinglePut(inserter, budget, groups, maxBlob));
    Spaces spaces = new Spaces(store, keepers, planned, questions);
    handlers.put(Endpoint.SPACES, spaces::list);
    handlers.put(Endpoint.PLAN, spaces::apply);
    handlers.put(Endpoint.DROP, spaces::drop);
    StatusPages pages = new StatusPages(config, store, claims, keepers, metrics, this::load);
    handlers.put(Endpoint.STATUS, pages::status);
    handlers.put(Endpoint.COUNTERS, pages::counters);
    handlers.put(Endpoint.HEALTH, pages::health);
    handlers.put(Endpoint.METRICS, pages::metrics);
    return handlers;
  }

  /** Returns where it listens, with the port the system chose. */
  public InetSocketAddress address() {
    return http.address();
  }

  /** Returns where clients find it: {@code http://host:port} or {@code https://host:port}. */
  public URI uri() {
    String scheme = config.tls().isPresent() ? "https" : "http";
    return AdvertisedAddress.uri(scheme, config.advertised(), config.host(), address().getPort());
  }

  /**
   * Moves its spaces toward a plan, as {@code POST /v1/spaces} does; for whoever runs it in the
   * same process.
   *
   * @throws IllegalArgumentException when the plan's prefix overlaps that of another plan
   */
  public AppliedSpaces applySpaces(SpacePlan plan) {
    return planned.apply(plan, false);
  }

  /** Moves its spaces toward its part of the plan of the manager that it follows. */
  public AppliedSpaces applySpaces(ServerPlan plan) {
    AppliedSpaces applied = planned.apply(SpacePlan.of(plan, config.name()), true);
    if (applied.accepted()) {
      slots.follow(plan);
    }
    return applied;
  }

  @Override
  public void apply(ServerPlan plan) {
    applySpaces(plan);
  }

  @Override
  public Map<String, KeeperCounts> streamKeepers() {
    return streamMeters.counts(keepers.reports().spaces(), System.nanoTime());
  }

  /** Returns how many connections are open now. */
  public int connections() {
    return http.connections();
  }

  /** Stops listening, waits a little for requests under way and ends what is left. */
  @Override
  public void close() throws IOException {
    http.close();
    inserter.close();
  }

  /** Returns the counters, for tests in this package. */
  ServerMetrics metrics() {
    return metrics;
  }

  /** Returns the budget of bytes in flight, for tests in this package. */
  ByteBudget budget() {
    return budget;
  }

  private Map<ServerGauge, Long> load() {
    Map<ServerGauge, Long> load = new EnumMap<>(ServerGauge.class);
    load.put(ServerGauge.CONNECTIONS, (long) connections());
    load.put(ServerGauge.REQUESTS_IN_FLIGHT, (long) metrics.requestsInFlight());
    load.put(ServerGauge.IN_FLIGHT_BYTES, budget.heldBytes());
    load.put(ServerGauge.CONTROL_BYTES, questions.heldBytes());
    load.put(ServerGauge.BUFFERS_LENT, (long) staging.lent() + groups.lent());
    return load;
  }
}
