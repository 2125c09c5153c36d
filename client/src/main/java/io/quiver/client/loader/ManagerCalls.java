package io.quiver.client.loader;

import io.quiver.core.plan.report.JobReport;
import io.quiver.protocol.control.ControlJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** A job's two calls to the cache manager, each with a deadline. */
final class ManagerCalls implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration POLL_WAIT = Duration.ofSeconds(8);
  private static final Duration POLL_TIMEOUT = Duration.ofSeconds(12);

  private final URI heartbeat;
  private final URI plan;
  private final HttpClient http;

  ManagerCalls(URI manager, String job) {
    String base = manager.toString().replaceAll("/+$", "") + "/v1/jobs/" + job;
    this.heartbeat = URI.create(base + "/heartbeat");
    this.plan = URI.create(base + "/plan");
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /** Whom it calls, for people. */
  String authority() {
    return heartbeat.getAuthority();
  }

  /** Sends a report; the answer is a plan. */
  HttpResponse<byte[]> report(JobReport report) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(heartbeat)
            .timeout(REPORT_TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(ControlJson.write(report)))
            .build(),
        BodyHandlers.ofByteArray());
  }

  /** Waits for a plan after this version; answers with the same one after a while. */
  HttpResponse<byte[]> poll(long after) throws IOException, InterruptedException {
    URI uri = URI.create(plan + "?after=" + after + "&wait_ms=" + POLL_WAIT.toMillis());
    return http.send(
        HttpRequest.newBuilder(uri).timeout(POLL_TIMEOUT).build(), BodyHandlers.ofByteArray());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
