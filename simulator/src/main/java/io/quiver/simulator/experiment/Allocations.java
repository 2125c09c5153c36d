package io.quiver.simulator.experiment;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.trace.Trace;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last plan's division of the cache before a time. Data sets are told apart by how many
 * items they have.
 */
public final class Allocations implements Trace {
  private static final double NANOS = 1e9;

  private final Map<Long, String> names = new HashMap<>();
  private final double untilSeconds;
  private @Nullable Plan last;

  /** Keeps plans made before this time. */
  Allocations(double untilSeconds) {
    this.untilSeconds = untilSeconds;
  }

  /**
   * The part of the cache that a data set has.
   *
   * @param dataset its name
   * @param kind {@code whole}; {@code window} if its chunks rotate; {@code part} if some are pinned
   *     and the others are read from the store or rotate; {@code nothing}
   * @param bytes how long the chunks held are
   * @param ofBytes how long the data set is
   */
  public record Allocation(String dataset, String kind, long bytes, long ofBytes) {}

  @Override
  public void dataset(long now, int dataset, String name, long items, boolean named) {
    names.put(items, name);
  }

  @Override
  public void planned(long now, Plan plan) {
    last = now < untilSeconds * NANOS ? plan : last;
  }

  /** Returns the allocations, by name; none where no plan is made for data sets. */
  List<Allocation> list() {
    Plan plan = last;
    return plan == null
        ? List.of()
        : plan.datasets().stream()
            .map(this::allocation)
            .sorted(Comparator.comparing(Allocation::dataset))
            .toList();
  }

  private Allocation allocation(DatasetPlan plan) {
    long bytes = Math.round((double) plan.bytes() * plan.held().size() / plan.chunks());
    String name = names.getOrDefault((long) plan.items(), plan.dataset().text());
    return new Allocation(name, kind(plan), bytes, plan.bytes());
  }

  private static String kind(DatasetPlan plan) {
    List<ChunkEntry> held = plan.held();
    if (held.size() == plan.chunks()) {
      return "whole";
    }
    boolean pinned = held.stream().anyMatch(each -> each.role() == ChunkRole.PINNED);
    return held.isEmpty() ? "nothing" : pinned ? "part" : "window";
  }
}
