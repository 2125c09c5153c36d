package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.client.ServerAddress;
import io.quiver.core.plan.ClusterMember;
import io.quiver.protocol.Wire;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds the servers behind an address, with the names and weights of the plan, which decide the
 * server that owns a blob.
 */
final class Membership {
  private static final String PLAN_PATH = "/v1/plan";

  private Membership() {}

  static List<ServerAddress> behind(RunningCluster cluster, URI address)
      throws CommandFailure, InterruptedException {
    JsonNode status = cluster.json(address, Wire.STATUS_PATH);
    if (!status.path("kind").asText().equals("node")) {
      String name = status.path("name").asText();
      return List.of(
          name.isEmpty()
              ? ServerAddress.of(address)
              : new ServerAddress(io.quiver.core.placement.Member.of(name), address));
    }
    List<ClusterMember> own = members(status.path("servers"), address);
    if (own.isEmpty()) {
      throw new CommandFailure(ExitCode.FAILED, "the node at " + address + " runs no server");
    }
    List<ClusterMember> planned =
        members(cluster.json(address, PLAN_PATH).path("members"), address);
    return ServerAddress.ofPlan(names(planned).containsAll(names(own)) ? planned : own);
  }

  /**
   * A manager that has just started may not know all servers yet; those of one node weigh alike.
   */
  private static List<String> names(List<ClusterMember> members) {
    return members.stream().map(ClusterMember::name).toList();
  }

  private static List<ClusterMember> members(JsonNode listed, URI node) {
    List<ClusterMember> members = new ArrayList<>();
    for (JsonNode each : listed) {
      URI uri = Addresses.reachable(URI.create(each.path("uri").asText()), node);
      double weight = each.path("weight").asDouble(1);
      members.add(new ClusterMember(each.path("name").asText(), uri.toString(), weight));
    }
    return members;
  }

  /** Servers that call themselves alike are told apart by their addresses. */
  static List<ServerAddress> distinct(List<ServerAddress> servers) {
    long names =
        servers.stream().map(server -> server.member().id()).collect(Collectors.toSet()).size();
    return names == servers.size()
        ? servers
        : servers.stream().map(server -> ServerAddress.of(server.uri())).distinct().toList();
  }
}
