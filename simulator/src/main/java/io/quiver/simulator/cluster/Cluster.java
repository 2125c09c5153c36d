package io.quiver.simulator.cluster;

import io.quiver.core.plan.ClusterMember;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.model.Machine;
import io.quiver.simulator.trace.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The servers of a simulation, their manager, and what they know of data sets. */
public final class Cluster {
  private static final long REPORT_EVERY = Duration.ofSeconds(1).toNanos();

  private final Engine engine;
  private final Trace trace;
  private final Catalog catalog = new Catalog();
  private final @Nullable ManagerNode manager;
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final Map<String, SimulatedServer> byName = new HashMap<>();
  private final Owners.Book book = new Owners.Book(byName);
  private @Nullable Owners alive;

  /**
   * A cluster without servers.
   *
   * @param manager who plans for it; null when nobody does
   */
  public Cluster(Engine engine, Trace trace, @Nullable ManagerNode manager) {
    this.engine = engine;
    this.trace = trace;
    this.manager = manager;
  }

  /** Returns who plans; null when nobody does. */
  public @Nullable ManagerNode manager() {
    return manager;
  }

  /** Returns the data sets. */
  public Catalog catalog() {
    return catalog;
  }

  /** Returns all servers that ever were, by number. */
  public List<SimulatedServer> servers() {
    return Collections.unmodifiableList(servers);
  }

  /** A new server joins. */
  public void join(String name, Machine machine, double diskBytesPerSecond, long capacityBytes) {
    int index = servers.size();
    SimulatedServer server =
        new SimulatedServer(
            engine, trace, catalog, index, name, machine, diskBytesPerSecond, capacityBytes);
    servers.add(server);
    byName.put(name, server);
    alive = null;
    trace.serverStarted(engine.now(), index, name, capacityBytes);
    ManagerNode planner = manager;
    if (planner != null) {
      planner.join(server);
      heartbeat(planner, server);
    }
  }

  private void heartbeat(ManagerNode planner, SimulatedServer server) {
    if (server.isAlive()) {
      planner.send(server.report(), server);
      engine.after(REPORT_EVERY, any -> heartbeat(planner, server), 0);
    }
  }

  /** A server dies. */
  public void kill(String name) {
    SimulatedServer server = byName.get(name);
    if (server == null || !server.isAlive()) {
      return;
    }
    server.die();
    alive = null;
    if (manager != null) {
      manager.leave(server);
    }
  }

  /** Returns the owners that these members of a plan make. */
  public Owners owners(List<ClusterMember> members) {
    return book.of(members);
  }

  /** Returns the owners that all servers make which are alive, where no plan says otherwise. */
  public Owners owners() {
    Owners known = alive;
    if (known == null) {
      List<ClusterMember> members =
          servers.stream()
              .filter(SimulatedServer::isAlive)
              .map(each -> new ClusterMember(each.name(), each.name(), 1))
              .toList();
      known = book.of(members);
      alive = known;
    }
    return known;
  }
}
