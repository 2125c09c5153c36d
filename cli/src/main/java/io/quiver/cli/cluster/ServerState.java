package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.protocol.Wire;
import java.net.URI;
import java.util.List;

/**
 * One server's state, as {@code stat} shows it.
 *
 * @param uri where it is
 * @param name what it calls itself
 * @param version what it runs
 * @param uptimeMs how long it has been serving
 * @param connections open now
 * @param usage occupancy and counters
 * @param spaces what each of its spaces holds
 */
public record ServerState(
    URI uri,
    String name,
    String version,
    long uptimeMs,
    long connections,
    Occupancy usage,
    List<SpaceState> spaces) {

  /** Asks a server. */
  static ServerState of(RunningCluster cluster, URI server)
      throws CommandFailure, InterruptedException {
    JsonNode status = cluster.json(server, Wire.STATUS_PATH);
    Metrics metrics = Metrics.parse(cluster.text(server, Wire.METRICS_PATH));
    return new ServerState(
        server,
        status.path("name").asText(),
        status.path("version").asText(),
        status.path("uptime_ms").asLong(),
        status.path("connections").asLong(),
        Occupancy.of(status.path("store"), metrics),
        SpaceState.list(cluster.json(server, Wire.SPACES_PATH)));
  }
}
