package io.quiver.node;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.http.AccessControl;
import io.quiver.http.TlsConfig;
import io.quiver.manager.ManagerConfig;
import io.quiver.manager.ManagerServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a node.
 *
 * @param listen address and protection of the manager and the status page; the servers take the
 *     ports after it, and 0 means any free
 * @param servers number of cache servers
 * @param disks data directories; every server uses a folder of its own in each
 * @param capacity bytes that all servers together may hold
 * @param manager settings of the manager
 */
public record NodeConfig(
    ManagerServer.Listen listen,
    int servers,
    List<Path> disks,
    Capacity capacity,
    ManagerConfig manager) {
  /** The default port; the servers take the next ones. */
  public static final int DEFAULT_PORT = 7400;

  /** Most servers in one process. */
  public static final int MAX_SERVERS = 64;

  /** Checks the numbers. */
  public NodeConfig {
    disks = List.copyOf(disks);
    if (servers < 1 || servers > MAX_SERVERS) {
      throw new IllegalArgumentException(
          "--servers " + servers + " is not between 1 and " + MAX_SERVERS);
    }
    int port = listen.port();
    if (port < 0 || port + servers > 65_535) {
      throw new IllegalArgumentException(
          "--port " + port + " leaves no ports for " + servers + " servers after it");
    }
    if (disks.isEmpty()) {
      throw new IllegalArgumentException("no data directory; name one with --data");
    }
  }

  /** Makes a node that everybody may call, with the usual manager. */
  public NodeConfig(
      String host,
      int port,
      int servers,
      List<Path> disks,
      Capacity capacity,
      Optional<TlsConfig> tls) {
    this(
        new ManagerServer.Listen(host, port, tls, AccessControl.OPEN, Optional.empty()),
        servers,
        disks,
        capacity,
        ManagerConfig.DEFAULT);
  }

  /** Returns a copy with rules of who may make which call. */
  public NodeConfig withAccess(AccessControl rules) {
    return with(
        new ManagerServer.Listen(
            listen.host(), listen.port(), listen.tls(), rules, listen.advertised()));
  }

  /** Returns a copy that tells clients another host. */
  public NodeConfig withAdvertised(String host) {
    return with(
        new ManagerServer.Listen(
            listen.host(), listen.port(), listen.tls(), listen.access(), Optional.of(host)));
  }

  private NodeConfig with(ManagerServer.Listen address) {
    return new NodeConfig(address, servers, disks, capacity, manager);
  }

  /** Returns a copy with a bound on the bytes that plans may fill, whatever the capacity. */
  public NodeConfig withPlanBytes(long bytes) {
    return with(manager.withBudget(bytes));
  }

  /** Returns a copy with another planner and other preferences. */
  public NodeConfig withPlanner(PlannerKind kind, CachePreferences preferences) {
    return with(manager.withPlanner(PlannerConfig.of(kind)).withPreferences(preferences));
  }

  private NodeConfig with(ManagerConfig settings) {
    return new NodeConfig(listen, servers, disks, capacity, settings);
  }

  /** Returns the port of one server, counted from 0. */
  int serverPort(int index) {
    return listen.port() == 0 ? 0 : listen.port() + 1 + index;
  }

  /** Returns the folders of one server, counted from 0, one on each disk. */
  List<Path> directories(int index) {
    return disks.stream().map(disk -> disk.resolve("server-" + index)).toList();
  }
}
