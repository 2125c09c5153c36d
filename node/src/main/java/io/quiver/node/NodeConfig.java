package io.quiver.node;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.http.AccessControl;
import io.quiver.http.TlsConfig;
import io.quiver.manager.ManagerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a node.
 *
 * @param host address everything listens on
 * @param port port of the manager and the status page; the servers take the ones after it, and 0
 *     means any free
 * @param servers how many cache servers
 * @param disks data directories; every server uses a folder of its own in each
 * @param capacity what all servers together may hold
 * @param tls certificate and key of the servers and the manager, or empty for plain HTTP
 * @param access who may make which call
 * @param planBytes most bytes plans may fill, whatever the capacity
 * @param planner who decides what is held
 * @param preferences what people want of the plans to begin with
 */
public record NodeConfig(
    String host,
    int port,
    int servers,
    List<Path> disks,
    Capacity capacity,
    Optional<TlsConfig> tls,
    AccessControl access,
    long planBytes,
    PlannerKind planner,
    CachePreferences preferences) {
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
    if (port < 0 || port + servers > 65_535) {
      throw new IllegalArgumentException(
          "--port " + port + " leaves no ports for " + servers + " servers after it");
    }
    if (disks.isEmpty()) {
      throw new IllegalArgumentException("no data directory; name one with --data");
    }
  }

  /** A node whose plans may fill what its servers offer. */
  public NodeConfig(
      String host,
      int port,
      int servers,
      List<Path> disks,
      Capacity capacity,
      Optional<TlsConfig> tls) {
    this(
        host,
        port,
        servers,
        disks,
        capacity,
        tls,
        AccessControl.OPEN,
        Long.MAX_VALUE,
        PlannerKind.MARGINAL,
        CachePreferences.NONE);
  }

  /** Returns a copy with rules of who may make which call. */
  public NodeConfig withAccess(AccessControl rules) {
    return new NodeConfig(
        host, port, servers, disks, capacity, tls, rules, planBytes, planner, preferences);
  }

  /** Returns a copy with a bound for what plans may fill. */
  public NodeConfig withPlanBytes(long bytes) {
    return new NodeConfig(
        host, port, servers, disks, capacity, tls, access, bytes, planner, preferences);
  }

  /** Returns a copy with another planner and other preferences. */
  public NodeConfig withPlanner(PlannerKind kind, CachePreferences others) {
    return new NodeConfig(
        host, port, servers, disks, capacity, tls, access, planBytes, kind, others);
  }

  /** Returns the settings of the manager. */
  ManagerConfig manager() {
    return ManagerConfig.DEFAULT
        .withBudget(planBytes)
        .withPlanner(PlannerConfig.of(planner))
        .withPreferences(preferences);
  }

  /** Returns the port of one server, counted from 0. */
  int serverPort(int index) {
    return port == 0 ? 0 : port + 1 + index;
  }

  /** Returns the folders of one server, counted from 0, one on each disk. */
  List<Path> directories(int index) {
    return disks.stream().map(disk -> disk.resolve("server-" + index)).toList();
  }
}
