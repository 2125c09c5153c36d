package io.quiver.server.plan;

import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.http.ClientCredentials;
import io.quiver.http.ControlClient;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** The manager as a server sees it: takes reports and gives plans. Every call is bounded. */
public interface PlanSource extends AutoCloseable {
  /** Reports; returns the plan that followed. */
  ServerPlan report(ServerReport report) throws IOException, InterruptedException;

  /** Returns the first plan after a version, or the present one when the time is over. */
  ServerPlan await(String server, long after, Duration time)
      throws IOException, InterruptedException;

  @Override
  void close();

  /**
   * Returns the managers at these addresses, of which one is asked at a time.
   *
   * @throws IOException if the credentials' files make no sense
   */
  static PlanSource of(List<URI> managers, ClientCredentials credentials) throws IOException {
    return new Remote(new ControlClient(managers, credentials, Remote.CONNECT), managers);
  }

  /** Managers that are called over HTTP. */
  final class Remote implements PlanSource {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(6);

    private final ControlClient client;
    private final List<URI> managers;

    private Remote(ControlClient client, List<URI> managers) {
      this.client = client;
      this.managers = managers;
    }

    @Override
    public ServerPlan report(ServerReport report) throws IOException, InterruptedException {
      String path = "/v1/servers/" + report.server() + "/heartbeat";
      return plan(client.post(path, ControlJson.write(report), ANSWER));
    }

    @Override
    public ServerPlan await(String server, long after, Duration time)
        throws IOException, InterruptedException {
      String question = "/plan?after=" + after + "&wait_ms=" + time.toMillis();
      return plan(client.get("/v1/servers/" + server + question, ANSWER.plus(time)));
    }

    private static ServerPlan plan(ControlClient.Answer answer) throws IOException {
      if (answer.status() != 200) {
        throw new IOException("the manager answered " + answer.status());
      }
      try {
        return ControlJson.read(answer.body(), ServerPlan.class);
      } catch (MalformedDocument e) {
        throw new IOException("the manager's plan makes no sense: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      client.close();
    }

    @Override
    public String toString() {
      return "at " + String.join(", ", managers.stream().map(URI::toString).toList());
    }
  }
}
