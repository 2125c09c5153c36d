package io.quiver.manager;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.review.DatasetDiagnosis;
import io.quiver.core.plan.review.PlanReview;
import io.quiver.core.plan.review.StreamDiagnosis;
import io.quiver.core.plan.review.WhatIf;
import io.quiver.http.AccessControl;
import io.quiver.http.AdvertisedAddress;
import io.quiver.http.ByteBudget;
import io.quiver.http.DirectBuffers;
import io.quiver.http.EventStream;
import io.quiver.http.Exchange;
import io.quiver.http.HttpServer;
import io.quiver.http.Identity;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.http.RequestTimeouts;
import io.quiver.http.Role;
import io.quiver.http.Routes;
import io.quiver.http.ServerTls;
import io.quiver.http.TlsConfig;
import io.quiver.http.TrafficListener;
import io.quiver.http.WholeBody;
import io.quiver.protocol.Wire;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the manager's HTTP calls, and shows the status of its process at the same port. */
public final class ManagerServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerServer.class);
  private static final int MAX_CONNECTIONS = 8_192;

  /** Questions that may wait for a newer plan at the same time, and streams of events. */
  private static final int MAX_WAITING = 4_096;

  /** Documents being read hold this many bytes together. */
  private static final long BODY_BYTES = 32L << 20;

  private static final Duration BODY_WAIT = Duration.ofSeconds(2);
  private static final int STAGING_BYTES = 16 << 10;
  private static final int KEPT_BUFFERS = 32;
  private static final Duration EVENT_KEEP_ALIVE = Duration.ofSeconds(5);
  private static final RequestTimeouts.Limits TIMEOUTS =
      new RequestTimeouts.Limits(
          Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(20));

  private final CacheManager manager;
  private final ByteBudget bodies = new ByteBudget(BODY_BYTES, BODY_WAIT);
  private final Semaphore waiting = new Semaphore(MAX_WAITING);
  private final HttpServer http;

  /**
   * The address and the protection of a manager.
   *
   * @param host a name or a literal address
   * @param port port to listen on; 0 lets the system choose
   * @param tls certificate and key, or empty for plain HTTP
   * @param access who may make which call
   * @param advertised the host clients use; empty for the one listened on
   */
  public record Listen(
      String host,
      int port,
      Optional<TlsConfig> tls,
      AccessControl access,
      Optional<String> advertised) {
    /** Returns an address for plain HTTP that everybody may call. */
    public static Listen on(String host, int port) {
      return new Listen(host, port, Optional.empty(), AccessControl.OPEN, Optional.empty());
    }

    /** Returns where clients find a process that listens on this host and a port. */
    public URI uri(int boundPort) {
      String scheme = tls.isPresent() ? "https" : "http";
      return AdvertisedAddress.uri(scheme, advertised, host, boundPort);
    }
  }

  private ManagerServer(Listen listen, CacheManager manager, RequestHandler status)
      throws IOException {
    this.manager = manager;
    @Nullable ServerTls tls = listen.tls.isPresent() ? ServerTls.of(listen.tls.get()) : null;
    HttpServer.Setup setup =
        new HttpServer.Setup(
            new InetSocketAddress(listen.host, listen.port),
            MAX_CONNECTIONS,
            0,
            TIMEOUTS,
            Duration.ZERO,
            tls,
            System::nanoTime);
    this.http =
        new HttpServer(
            setup,
            bodies::contended,
            new DirectBuffers(STAGING_BYTES, KEPT_BUFFERS),
            routes(listen, status),
            TrafficListener.NONE);
  }

  /**
   * Listens until closed.
   *
   * @param status answers with the status of the process
   */
  public static ManagerServer start(Listen listen, CacheManager manager, RequestHandler status)
      throws IOException {
    return new ManagerServer(listen, manager, status);
  }

  private Routes routes(Listen listen, RequestHandler status) {
    Routes routes =
        new Routes(
            listen.access,
            "this is the manager; its servers, which hold the blobs, are named under "
                + Wire.STATUS_PATH);
    AdvertisedAddress.names(listen.host, listen.advertised).forEach(routes::knownAs);
    for (ManagerEndpoint endpoint : ManagerEndpoint.values()) {
      routes.add(
          endpoint,
          switch (endpoint) {
            case ROOT, STATUS -> status;
            case PLAN_EVENTS -> this::events;
            case METRICS -> this::metrics;
            default -> exchange -> answer(exchange, endpoint);
          });
    }
    return routes;
  }

  /** Returns the port it listens on. */
  public int port() {
    return http.address().getPort();
  }

  private void answer(Exchange exchange, ManagerEndpoint endpoint) throws IOException, Refusal {
    byte[] json;
    try {
      json = ControlJson.write(document(exchange, endpoint));
    } catch (Refused e) {
      throw refusal(e);
    } catch (MalformedDocument | IllegalArgumentException e) {
      throw Refusal.of(400, String.valueOf(e.getMessage()), "send what docs/wire-protocol.md says");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw stopping();
    }
    exchange.answer(200, Exchange.JSON, json, Map.of("Cache-Control", "no-store"));
  }

  private Object document(Exchange exchange, ManagerEndpoint endpoint)
      throws Refused, Refusal, MalformedDocument, IOException, InterruptedException {
    return switch (endpoint) {
      case JOB_HEARTBEAT -> {
        JobReport report = body(exchange, JobReport.class);
        requireName(name(exchange, "job"), report.job());
        yield manager.report(report);
      }
      case SERVER_HEARTBEAT -> {
        ServerReport report = body(exchange, ServerReport.class);
        requireName(name(exchange, "server"), report.server());
        yield manager.report(report);
      }
      case DOOR_HEARTBEAT -> {
        DoorReport report = body(exchange, DoorReport.class);
        requireName(name(exchange, "door"), report.door());
        yield manager.report(report);
      }
      case JOB_PLAN, SERVER_PLAN, DOOR_PLAN -> awaitPlan(exchange, endpoint);
      case DATASET_PREFERENCE -> {
        DatasetKey dataset = new DatasetKey(exchange.pathValue("dataset"));
        DatasetPreference wanted = body(exchange, DatasetPreference.class);
        note(exchange, "data set " + dataset);
        yield manager.preference(preferences -> wanted.applyTo(preferences, dataset));
      }
      case USER_QUOTA -> {
        String user = name(exchange, "user");
        UserQuota wanted = body(exchange, UserQuota.class);
        note(exchange, "user " + user);
        yield manager.preference(preferences -> wanted.applyTo(preferences, user));
      }
      case PREFERENCES -> preferences(exchange);
      case PLAN -> document(manager.plan());
      case REVIEW -> review();
      case WHAT_IF -> whatIf(exchange);
      case JOBS -> Map.of("jobs", manager.jobs(), "diagnoses", manager.review().jobs());
      case DOORS -> Map.of("doors", manager.doors());
      case STREAMS -> Map.of("streams", streams(exchange));
      case PATH_PREFERENCE -> {
        PathPreferenceChange wanted = body(exchange, PathPreferenceChange.class);
        note(exchange, "a path");
        yield manager.preference(wanted::applyTo);
      }
      case DATASETS -> Map.of("datasets", manager.plan().datasets());
      case CLUSTER, SERVERS -> Map.of("servers", manager.servers());
      case HEALTH -> Map.of("status", "ok");
      case ROOT, STATUS, PLAN_EVENTS, METRICS ->
          throw new IllegalStateException("has its own handler");
    };
  }

  private void metrics(Exchange exchange) throws IOException {
    byte[] text = ManagerMetrics.of(manager).getBytes(StandardCharsets.UTF_8);
    exchange.answer(200, ManagerMetrics.TYPE, text, Map.of("Cache-Control", "no-store"));
  }

  private <T> T body(Exchange exchange, Class<T> type)
      throws IOException, Refusal, MalformedDocument {
    try (WholeBody body = WholeBody.read(exchange.body(), bodies)) {
      return ControlJson.read(body.bytes(), type);
    }
  }

  private static String name(Exchange exchange, String segment) {
    return Bounds.name(segment, exchange.pathValue(segment));
  }

  private static void requireName(String path, String report) {
    if (!path.equals(report)) {
      throw new IllegalArgumentException(
          "the report of " + report + " was sent under the name " + path);
    }
  }

  private static void note(Exchange exchange, String about) {
    LOG.info(
        "a preference about {} comes from {}",
        about,
        exchange.identity() == null ? "nobody" : exchange.identity().name());
  }

  private static Object document(Plan plan) {
    return Map.of(
        "version", plan.version(), "members", plan.members(), "datasets", plan.datasets());
  }

  private Object review() {
    PlanReview review = manager.review();
    return new Review(
        review.planner(),
        manager.plan().version(),
        review.capacity(),
        review.datasets(),
        review.streamsWithoutLabels());
  }

  private static Identity caller(Exchange exchange) {
    return Objects.requireNonNullElse(exchange.identity(), Identity.ANYBODY);
  }

  /** Returns what people want; those who are no operators are told no paths. */
  private CachePreferences preferences(Exchange exchange) {
    CachePreferences all = manager.preferences();
    return caller(exchange).role() == Role.OPERATOR ? all : all.withoutPaths();
  }

  /** Returns the streams, with the paths that the caller may see. */
  private List<StreamDiagnosis> streams(Exchange exchange) {
    Identity caller = caller(exchange);
    return caller.role() == Role.OPERATOR
        ? manager.review().streams()
        : manager.review().streamsFor(caller.name());
  }

  private record Review(
      PlannerKind planner,
      long version,
      long capacityBytes,
      List<DatasetDiagnosis> datasets,
      List<StreamDiagnosis> streams) {}

  /** Answers for a capacity in bytes; a sign makes it a difference from the present capacity. */
  private WhatIf whatIf(Exchange exchange) {
    String text = exchange.parameter("capacity");
    if (text == null || text.isEmpty()) {
      throw new IllegalArgumentException(
          "capacity is missing; give bytes, with a sign for more or less than now");
    }
    PlanReview review = manager.review();
    long usual = review.capacity();
    long number = number(exchange, "capacity");
    boolean signed = text.startsWith("+") || text.startsWith("-");
    long size = signed ? usual + Math.clamp(number, -usual, Long.MAX_VALUE - usual) : number;
    return review.whatIf(Math.max(0, size));
  }

  private static long number(Exchange exchange, String name) {
    String text = exchange.parameter(name);
    try {
      return text == null ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + "=" + text + " is not a number", e);
    }
  }

  private Object awaitPlan(Exchange exchange, ManagerEndpoint endpoint)
      throws Refused, Refusal, InterruptedException {
    long after = number(exchange, "after");
    long millis = Math.clamp(number(exchange, "wait_ms"), 0, CacheManager.MAX_WAIT.toMillis());
    startWaiting();
    try {
      Duration time = Duration.ofMillis(millis);
      return switch (endpoint) {
        case JOB_PLAN -> manager.await(name(exchange, "job"), after, time);
        case DOOR_PLAN -> manager.awaitDoor(name(exchange, "door"), after, time);
        default -> manager.awaitServer(name(exchange, "server"), after, time);
      };
    } finally {
      waiting.release();
    }
  }

  private void startWaiting() throws Refusal {
    if (!waiting.tryAcquire()) {
      throw Refusal.busy(MAX_WAITING + " callers wait for a plan already");
    }
  }

  /** Sends the present plan and each that follows, until the peer is gone or the manager stops. */
  private void events(Exchange exchange) throws IOException, Refusal {
    startWaiting();
    try (EventStream stream = new EventStream(exchange)) {
      long sent = 0;
      Optional<Plan> next = manager.awaitPlan(sent, EVENT_KEEP_ALIVE);
      while (next.isPresent()) {
        Plan plan = next.get();
        if (plan.version() > sent) {
          sent = plan.version();
          String json = new String(ControlJson.write(document(plan)), StandardCharsets.UTF_8);
          stream.send("plan", Long.toString(sent), json);
        } else {
          stream.keepAlive();
        }
        next = manager.awaitPlan(sent, EVENT_KEEP_ALIVE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.release();
    }
  }

  private static Refusal refusal(Refused e) {
    String error = String.valueOf(e.getMessage());
    return switch (e.reason()) {
      case NAME_TAKEN -> Refusal.of(409, error, "choose another name, or end the other one");
      case INVALID -> Refusal.of(400, error, "send what docs/wire-protocol.md says");
      case FULL -> Refusal.of(503, error, "end some, or use another manager", "Retry-After", "30");
      case UNKNOWN -> Refusal.of(404, error, "send a heartbeat first");
      case BUSY -> Refusal.of(503, error, "try again in a second", "Retry-After", "1");
    };
  }

  private static Refusal stopping() {
    return Refusal.of(503, "the manager stops", "ask another manager").closing();
  }

  @Override
  public void close() {
    try {
      http.close();
    } catch (IOException e) {
      LOG.debug("the manager's port did not close cleanly", e);
    }
  }
}
