package io.quiver.simulator.model;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.scenario.Scenario.StoreSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * An object store with a bandwidth for each machine, one for all of them together, and a latency. A
 * machine's own reads are in order of priority; between machines the store knows no priorities.
 */
public final class Store {
  private final Engine engine;
  private final String name;
  private final double machineBytesPerSecond;
  private final long latencyNanos;
  private final List<Link> shared;
  private final Map<Machine, List<Link>> paths = new HashMap<>();

  /** Makes a store that nobody reads yet. */
  public Store(Engine engine, StoreSpec spec) {
    this.engine = engine;
    this.name = spec.name();
    this.machineBytesPerSecond = spec.machineBytesPerSecond();
    this.latencyNanos = spec.latencyNanos();
    OptionalDouble limit = spec.sharedBytesPerSecond();
    this.shared =
        limit.isPresent() ? List.of(new Link(engine, name, limit.getAsDouble(), 0)) : List.of();
  }

  /** Returns its name. */
  public String name() {
    return name;
  }

  /** Returns the links a machine's reads pass. */
  public List<Link> pathTo(Machine machine) {
    return paths.computeIfAbsent(machine, this::newPath);
  }

  private List<Link> newPath(Machine machine) {
    List<Link> path = new ArrayList<>();
    path.add(new Link(engine, name + "/" + machine.name(), machineBytesPerSecond, latencyNanos));
    path.addAll(shared);
    return List.copyOf(path);
  }
}
