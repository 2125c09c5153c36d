package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.ServerAddress;
import io.quiver.core.plan.ClusterMember;
import io.quiver.http.ClientCredentials;
import io.quiver.http.ControlClient;
import io.quiver.protocol.Json;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The cache servers a command works with.
 *
 * <p>An address is either a server or a node's status page; a node stands for all servers that
 * follow its manager.
 */
public final class RunningCluster implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final Duration TRANSFER = Duration.ofMinutes(5);

  private final ClientCredentials credentials;
  private final Map<URI, ControlClient> clients = new HashMap<>();
  private final List<ServerAddress> servers = new ArrayList<>();

  private RunningCluster(ClientCredentials credentials) {
    this.credentials = credentials;
  }

  /** Asks every address what it is. */
  public static RunningCluster find(List<URI> addresses, ClientCredentials credentials)
      throws CommandFailure, InterruptedException {
    RunningCluster cluster = new RunningCluster(credentials);
    try {
      Set<ServerAddress> found = new LinkedHashSet<>();
      for (URI address : addresses) {
        found.addAll(Membership.behind(cluster, address));
      }
      cluster.servers.addAll(Membership.distinct(List.copyOf(found)));
      return cluster;
    } catch (CommandFailure | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Returns the addresses of the servers. */
  public List<URI> servers() {
    return servers.stream().map(ServerAddress::uri).toList();
  }

  /** A client of all the servers, which places blobs where jobs look for them. */
  public CacheClient client() {
    ClientConfig config =
        ClientConfig.of(servers()).withConnectTimeout(CONNECT).withRequestTimeout(TRANSFER);
    CacheClient client = CacheClient.connect(config.withCredentials(credentials));
    client.changeServers(servers);
    return client;
  }

  /** A document of one server. */
  JsonNode json(URI server, String path) throws CommandFailure, InterruptedException {
    return parse(server, text(server, path));
  }

  /** A page of one server. */
  String text(URI server, String path) throws CommandFailure, InterruptedException {
    ControlClient.Answer answer;
    try {
      answer = client(server).get(path, ANSWER);
    } catch (IOException e) {
      throw Addresses.unreachable(server, e);
    }
    if (answer.status() != 200) {
      throw refused(server, answer);
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /** Deletes something at one server; empty if it was not there. */
  Optional<JsonNode> delete(URI server, String path) throws CommandFailure, InterruptedException {
    ControlClient.Answer answer;
    try {
      answer = client(server).delete(path, ANSWER);
    } catch (IOException e) {
      throw Addresses.unreachable(server, e);
    }
    return switch (answer.status()) {
      case 200 -> Optional.of(parse(server, new String(answer.body(), StandardCharsets.UTF_8)));
      case 404 -> Optional.empty();
      default -> throw refused(server, answer);
    };
  }

  private static JsonNode parse(URI server, String body) throws CommandFailure {
    try {
      return Json.parse(body);
    } catch (IllegalArgumentException e) {
      throw notQuiver(server, "something that is not JSON");
    }
  }

  private ControlClient client(URI server) throws CommandFailure {
    ControlClient known = clients.get(server);
    if (known == null) {
      try {
        known = new ControlClient(List.of(server), credentials, CONNECT);
      } catch (IOException e) {
        throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
      }
      clients.put(server, known);
    }
    return known;
  }

  private static CommandFailure refused(URI server, ControlClient.Answer answer)
      throws CommandFailure {
    if (answer.status() == 401 || answer.status() == 403) {
      String body = new String(answer.body(), StandardCharsets.UTF_8);
      return Addresses.denied(server, parse(server, body));
    }
    return notQuiver(server, "status " + answer.status());
  }

  private static CommandFailure notQuiver(URI server, String answer) {
    return new CommandFailure(
        ExitCode.FAILED,
        server + " answered with " + answer + "; is it a quiver server? (--server)");
  }

  @Override
  public void close() {
    clients.values().forEach(ControlClient::close);
  }

  /**
   * Finds the servers behind an address, with the names and weights of the plan, which decide the
   * server that owns a blob.
   */
  static final class Membership {
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
        int weight = each.path("weight").asInt(1);
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
}
