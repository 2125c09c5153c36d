package io.quiver.manager;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.quiver.core.plan.DatasetDiagnosis;
import io.quiver.core.plan.DatasetKey;
import io.quiver.core.plan.JobReport;
import io.quiver.core.plan.PlanReview;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.ServerReport;
import io.quiver.core.plan.WhatIf;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The manager's HTTP calls, beside whatever else its process shows at the same port. */
public final class ManagerServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerServer.class);
  private static final Pattern CALL =
      Pattern.compile("/v1/(jobs|servers)/([A-Za-z0-9._-]{1,128})/(heartbeat|plan)");
  private static final Pattern PREFERENCE =
      Pattern.compile("/v1/datasets/([^/]{1,128})/preference");
  private static final Pattern QUOTA = Pattern.compile("/v1/users/([A-Za-z0-9._@-]{1,128})/quota");
  private static final int BACKLOG = 1024;

  private final CacheManager manager;
  private final HttpServer http;
  private final ExecutorService threads;

  private ManagerServer(CacheManager manager, HttpServer http, ExecutorService threads) {
    this.manager = manager;
    this.http = http;
    this.threads = threads;
  }

  /**
   * Listens until closed.
   *
   * @param other answers what is not the manager's
   */
  public static ManagerServer start(String host, int port, CacheManager manager, HttpHandler other)
      throws IOException {
    limitConnections();
    HttpServer http = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    ManagerServer server = new ManagerServer(manager, http, threads);
    http.setExecutor(threads);
    http.createContext("/", other);
    http.createContext("/v1/jobs", server::answer);
    http.createContext("/v1/servers", server::answer);
    http.createContext("/v1/datasets", server::answer);
    http.createContext("/v1/users", server::answer);
    http.createContext("/v1/preferences", server::answer);
    http.createContext("/v1/plan", server::answer);
    http.createContext("/v1/cluster", server::answer);
    http.start();
    return server;
  }

  /** The JDK's server takes its limits from here; without the first, small answers wait 40 ms. */
  private static void limitConnections() {
    System.getProperties().putIfAbsent("sun.net.httpserver.nodelay", "true");
    System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", "60");
    System.getProperties().putIfAbsent("jdk.httpserver.maxConnections", "20000");
    System.getProperties().putIfAbsent("sun.net.httpserver.maxIdleConnections", "2000");
  }

  /** The port it listens on. */
  public int port() {
    return http.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        send(exchange, 200, route(exchange));
      } catch (Refused e) {
        send(exchange, code(e.reason()), problem(e.getMessage()));
      } catch (MalformedDocument | IllegalArgumentException e) {
        send(exchange, 400, problem(e.getMessage()));
      } catch (NotFound e) {
        send(exchange, 404, problem(e.getMessage()));
      } catch (InterruptedException e) {
        send(exchange, 503, problem("the manager stops"));
      } catch (RuntimeException e) {
        LOG.error("a call failed", e);
        send(exchange, 500, problem("the manager failed; its log says why"));
      }
    }
  }

  private Object route(HttpExchange exchange)
      throws Refused, MalformedDocument, NotFound, IOException, InterruptedException {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    Matcher call = CALL.matcher(path);
    if (call.matches()) {
      boolean job = call.group(1).equals("jobs");
      boolean heartbeat = call.group(3).equals("heartbeat");
      String expected = heartbeat ? "POST" : "GET";
      requireMethod(expected, method, path);
      return heartbeat
          ? heartbeat(job, call.group(2), body(exchange))
          : waited(job, call.group(2), Query.of(exchange.getRequestURI().getRawQuery()));
    }
    Matcher preference = PREFERENCE.matcher(path);
    if (preference.matches()) {
      requireMethod("POST", method, path);
      DatasetKey dataset = new DatasetKey(preference.group(1));
      DatasetPreference wanted = ControlJson.read(body(exchange), DatasetPreference.class);
      return manager.preference(preferences -> wanted.applyTo(preferences, dataset));
    }
    Matcher quota = QUOTA.matcher(path);
    if (quota.matches()) {
      requireMethod("POST", method, path);
      UserQuota wanted = ControlJson.read(body(exchange), UserQuota.class);
      return manager.preference(preferences -> wanted.applyTo(preferences, quota.group(1)));
    }
    return switch (path) {
      case "/v1/preferences" -> manager.preferences();
      case "/v1/plan" ->
          Map.of(
              "version",
              manager.plan().version(),
              "members",
              manager.plan().members(),
              "datasets",
              manager.plan().datasets());
      case "/v1/plan/review" -> review();
      case "/v1/plan/what-if" -> whatIf(Query.of(exchange.getRequestURI().getRawQuery()));
      case "/v1/jobs" -> Map.of("jobs", manager.jobs(), "diagnoses", manager.review().jobs());
      case "/v1/datasets" -> Map.of("datasets", manager.plan().datasets());
      case "/v1/cluster", "/v1/servers" -> Map.of("servers", manager.servers());
      default -> throw new NotFound("nothing is at " + path);
    };
  }

  private Object review() {
    PlanReview review = manager.review();
    return new Review(
        review.planner(), manager.plan().version(), review.capacity(), review.datasets());
  }

  private record Review(
      PlannerKind planner, long version, long capacityBytes, List<DatasetDiagnosis> datasets) {}

  private WhatIf whatIf(Query query) {
    PlanReview review = manager.review();
    return review.whatIf(query.size("capacity", review.capacity()));
  }

  private static void requireMethod(String expected, String method, String path) {
    if (!method.equals(expected)) {
      throw new IllegalArgumentException(method + " " + path + " is not answered; use " + expected);
    }
  }

  private Object heartbeat(boolean job, String name, byte[] body)
      throws Refused, MalformedDocument, InterruptedException {
    if (job) {
      JobReport report = ControlJson.read(body, JobReport.class);
      requireName(name, report.job());
      return manager.report(report);
    }
    ServerReport report = ControlJson.read(body, ServerReport.class);
    requireName(name, report.server());
    return manager.report(report);
  }

  private static void requireName(String path, String report) {
    if (!path.equals(report)) {
      throw new IllegalArgumentException(
          "the report of " + report + " was sent under the name " + path);
    }
  }

  private Object waited(boolean job, String name, Query query)
      throws Refused, InterruptedException {
    long after = query.number("after", 0);
    Duration time =
        Duration.ofMillis(
            Math.clamp(query.number("wait_ms", 0), 0, CacheManager.MAX_WAIT.toMillis()));
    return job ? manager.await(name, after, time) : manager.awaitServers(after, time);
  }

  private static byte[] body(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(ControlJson.MAX_BYTES + 1);
    if (body.length > ControlJson.MAX_BYTES) {
      throw new IllegalArgumentException(
          "a report may have " + ControlJson.MAX_BYTES + " bytes at most");
    }
    return body;
  }

  private static int code(Refused.Reason reason) {
    return switch (reason) {
      case NAME_TAKEN -> 409;
      case UNKNOWN -> 404;
      case BUSY -> 503;
    };
  }

  private static Map<String, String> problem(@Nullable String message) {
    return Map.of("error", String.valueOf(message));
  }

  private static void send(HttpExchange exchange, int code, Object document) throws IOException {
    byte[] body = ControlJson.write(document);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }

  private static final class NotFound extends Exception {
    private static final long serialVersionUID = 1;

    NotFound(String message) {
      super(message);
    }
  }
}
