package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.http.ClientCredentials;
import io.quiver.protocol.Wire;
import java.net.URI;
import java.util.List;

/**
 * A cache manager at one moment.
 *
 * @param servers how many servers follow it
 * @param usableBytes what they offer together
 */
public record ManagerState(int servers, long usableBytes) {
  private static final String SERVERS_PATH = "/v1/cluster";

  /** Asks a manager, which must be there. */
  public static ManagerState of(URI manager, ClientCredentials credentials)
      throws CommandFailure, InterruptedException {
    try (RunningCluster cluster = RunningCluster.find(List.of(manager), credentials)) {
      if (!cluster.json(manager, Wire.STATUS_PATH).path("kind").asText().equals("node")) {
        throw new CommandFailure(
            ExitCode.USAGE,
            manager + " is a cache server; name the status page of quiver up with --manager");
      }
      return of(cluster.json(manager, SERVERS_PATH).path("servers"));
    } catch (CommandFailure e) {
      String line = String.valueOf(e.getMessage()).replace("--server", "--manager");
      throw new CommandFailure(e.exit(), line, e.getCause());
    }
  }

  private static ManagerState of(JsonNode listed) {
    long bytes = 0;
    for (JsonNode each : listed) {
      bytes += each.path("usable_bytes").asLong();
    }
    return new ManagerState(listed.size(), bytes);
  }
}
