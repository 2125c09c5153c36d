package io.quiver.cli.cluster;

import io.quiver.cli.console.CommandFailure;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.Wire;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All servers at one moment.
 *
 * @param totals everything added up
 * @param spaces every space, added up over the servers
 * @param servers each server
 */
public record ClusterState(Occupancy totals, List<SpaceState> spaces, List<ServerState> servers) {

  /** Asks every server. */
  public static ClusterState of(RunningCluster cluster)
      throws CommandFailure, InterruptedException {
    List<ServerState> servers = new ArrayList<>();
    for (URI server : cluster.servers()) {
      servers.add(ServerState.of(cluster, server));
    }
    Occupancy totals =
        servers.stream().map(ServerState::usage).reduce(Occupancy.NONE, Occupancy::plus);
    return new ClusterState(totals, SpaceState.merge(servers), servers);
  }

  /** Drops a space on every server; the bytes given back, or empty if none had it. */
  public static Optional<Long> drop(RunningCluster cluster, SpaceId space)
      throws CommandFailure, InterruptedException {
    Optional<Long> freed = Optional.empty();
    for (URI server : cluster.servers()) {
      var answer = cluster.delete(server, Wire.SPACES_PATH + "/" + space.name());
      if (answer.isPresent()) {
        freed = Optional.of(freed.orElse(0L) + answer.get().path("freed_bytes").asLong());
      }
    }
    return freed;
  }
}
