package io.quiver.client.loader;

import io.quiver.core.plan.report.JobReport;
import io.quiver.http.ClientCredentials;
import io.quiver.http.ControlClient;
import io.quiver.protocol.control.ControlJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Makes a job's two calls to the cache manager, each with a deadline. */
final class ManagerCalls implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration POLL_WAIT = Duration.ofSeconds(8);
  private static final Duration POLL_TIMEOUT = Duration.ofSeconds(12);

  private final ControlClient client;
  private final String path;
  private final String authority;

  /** Makes the calls of a job at the managers, which are tried in order. */
  ManagerCalls(List<URI> managers, ClientCredentials credentials, String job) {
    try {
      this.client = new ControlClient(managers, credentials, CONNECT_TIMEOUT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.path = "/v1/jobs/" + job;
    this.authority = String.join(", ", managers.stream().map(URI::getAuthority).toList());
  }

  /** Makes the calls of a configured job; credentials are those of the environment. */
  static ManagerCalls of(LoaderConfig config, List<URI> managers) {
    ClientCredentials own = ClientCredentials.of(System.getenv());
    return new ManagerCalls(managers, config.trust().map(own::withTrust).orElse(own), config.job());
  }

  /** Returns where the managers are, for people. */
  String authority() {
    return authority;
  }

  /** Sends a report; the answer is a plan. */
  ControlClient.Answer report(JobReport report) throws IOException, InterruptedException {
    return client.post(path + "/heartbeat", ControlJson.write(report), REPORT_TIMEOUT);
  }

  /** Waits for a plan after this version; answers with the same one after a while. */
  ControlClient.Answer poll(long after) throws IOException, InterruptedException {
    return client.get(
        path + "/plan?after=" + after + "&wait_ms=" + POLL_WAIT.toMillis(), POLL_TIMEOUT);
  }

  @Override
  public void close() {
    client.close();
  }
}
