package io.quiver.simulator.model;

import io.quiver.simulator.engine.Engine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * An object store: what it gives each machine, what it gives all of them together, and how long it
 * takes to answer. A machine's own reads are in order of priority; the store knows of none.
 */
public final class Store {
  private final Engine engine;
  private final String name;
  private final double machineBytesPerSecond;
  private final long latencyNanos;
  private final List<Link> shared;
  private final Map<Machine, List<Link>> paths = new HashMap<>();

  /**
   * A store.
   *
   * @param machineBytesPerSecond most a machine gets
   * @param sharedBytesPerSecond most all of them get; empty for no such limit
   */
  public Store(
      Engine engine,
      String name,
      double machineBytesPerSecond,
      OptionalDouble sharedBytesPerSecond,
      long latencyNanos) {
    this.engine = engine;
    this.name = name;
    this.machineBytesPerSecond = machineBytesPerSecond;
    this.latencyNanos = latencyNanos;
    this.shared =
        sharedBytesPerSecond.isPresent()
            ? List.of(new Link(engine, name, sharedBytesPerSecond.getAsDouble(), 0))
            : List.of();
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
