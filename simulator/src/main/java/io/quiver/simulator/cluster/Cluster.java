package io.quiver.simulator.cluster;

import io.quiver.core.plan.ClusterMember;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.model.Machine;
import io.quiver.simulator.scenario.Scenario.ServerSpec;
import io.quiver.simulator.trace.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The servers of a simulation, their manager, and the catalog of data sets. */
public final class Cluster {
  private static final long REPORT_EVERY = Duration.ofSeconds(1).toNanos();

  private final Engine engine;
  private final Trace trace;
  private final Catalog catalog = new Catalog();
  private final @Nullable ManagerNode manager;
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final Map<String, SimulatedServer> byName = new HashMap<>();
  private final Map<List<ClusterMember>, SlotOwners> known = new HashMap<>();
  private List<ClusterMember> latestMembers = List.of();
  private @Nullable SlotOwners latestOwners;
  private @Nullable SlotOwners alive;

  /**
   * Makes a cluster without servers.
   *
   * @param manager plans for it; null for a cluster without plans
   */
  public Cluster(Engine engine, Trace trace, @Nullable ManagerNode manager) {
    this.engine = engine;
    this.trace = trace;
    this.manager = manager;
  }

  /** Returns the manager; null for a cluster without plans. */
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

  /** Adds an empty server, unless one of its name is alive. */
  public void join(ServerSpec spec, Machine machine) {
    SimulatedServer before = byName.get(spec.name());
    if (before != null && before.isAlive()) {
      return;
    }
    if (before != null) {
      known.clear();
      latestOwners = null;
    }
    int index = servers.size();
    SimulatedServer server = new SimulatedServer(engine, trace, catalog, index, machine, spec);
    servers.add(server);
    byName.put(spec.name(), server);
    alive = null;
    trace.serverStarted(engine.now(), index, spec.name(), spec.cacheBytes());
    if (manager != null) {
      heartbeat(manager, server);
    }
  }

  private void heartbeat(ManagerNode planner, SimulatedServer server) {
    if (server.isAlive()) {
      planner.send(server.report(), server);
      engine.after(REPORT_EVERY, any -> heartbeat(planner, server), 0);
    }
  }

  /** Kills a server, with everything on it. */
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
  @SuppressWarnings("ReferenceEquality") // All jobs ask for the owners of one plan in a row.
  public SlotOwners owners(List<ClusterMember> members) {
    SlotOwners owners = latestOwners;
    if (owners == null || members != latestMembers) {
      owners = known.computeIfAbsent(members, each -> SlotOwners.of(each, byName));
      latestMembers = members;
      latestOwners = owners;
    }
    return owners;
  }

  /** Returns the owners that all living servers make, where no plan says otherwise. */
  public SlotOwners owners() {
    SlotOwners owners = alive;
    if (owners == null) {
      List<ClusterMember> members =
          servers.stream()
              .filter(SimulatedServer::isAlive)
              .map(each -> new ClusterMember(each.name(), "http://" + each.name(), 1))
              .toList();
      owners = owners(members);
      alive = owners;
    }
    return owners;
  }
}
