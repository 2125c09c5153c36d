package io.quiver.simulator.cluster;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.cluster.DatasetCache.SpaceKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The data sets of a simulation, and the orders of a plan about them, worked out for all servers.
 */
public final class Catalog {
  private final List<DatasetCache> caches = new ArrayList<>();
  private final Map<DatasetKey, Integer> indices = new HashMap<>();
  private final Map<String, SpaceKey> keys = new HashMap<>();
  private final SpaceLayout noSpaces = new SpaceLayout(List.of());
  private List<ClusterMember> members = List.of();
  private @Nullable SlotTable slots;
  private Orders latest = new Orders(0, null, Map.of(), Map.of(), Set.of(), Map.of());

  /**
   * The orders of one plan.
   *
   * @param slots divides the slots among servers; the same object while the servers are the same
   * @param shares the share of every quota that each server has
   * @param spaces the order of every space, by its key
   * @param rotating the spaces of chunks that rotate
   * @param changes the changes they have made so far, by the spaces before
   */
  record Orders(
      long version,
      @Nullable SlotTable slots,
      Map<String, Double> shares,
      Map<SpaceKey, SpaceOrder> spaces,
      Set<SpaceKey> rotating,
      Map<SpaceLayout, SpaceLayout.LayoutChange> changes) {
    /** Returns a server's share of every quota; all of it if the plan does not name it yet. */
    double share(String server) {
      return shares.getOrDefault(server, 1.0);
    }

    /** Returns the change that the orders make to a server's spaces. */
    SpaceLayout.LayoutChange change(SpaceLayout before) {
      return changes.computeIfAbsent(before, each -> each.ordered(spaces, rotating));
    }
  }

  /** Adds a data set; they are numbered from 0 in the order of adding. */
  public void add(DatasetCache cache) {
    SimulatedDataset dataset = cache.dataset();
    if (dataset.index() != caches.size()) {
      throw new IllegalArgumentException("data set " + dataset.name() + " is out of order");
    }
    indices.put(dataset.key(), caches.size());
    caches.add(cache);
  }

  /** Returns the cached part of the data set of a number. */
  public DatasetCache cache(int index) {
    return caches.get(index);
  }

  /** Returns the spaces of a server that has not followed any plan. */
  SpaceLayout noSpaces() {
    return noSpaces;
  }

  /** Returns the orders of a plan. All servers follow the same plan one after the other. */
  Orders orders(Plan plan) {
    if (latest.version != plan.version()) {
      latest = worked(plan);
    }
    return latest;
  }

  private Orders worked(Plan plan) {
    ServerPlan forServers = plan.forServers();
    Map<SpaceKey, SpaceOrder> spaces = new LinkedHashMap<>();
    for (SpaceOrder order : forServers.spaces()) {
      spaces.put(keys.computeIfAbsent(order.name().name(), this::key), order);
    }
    Set<SpaceKey> rotating = new HashSet<>();
    for (DatasetPlan dataset : plan.datasets()) {
      for (ChunkEntry each : dataset.held()) {
        if (each.role() == ChunkRole.ROTATING) {
          rotating.add(new SpaceKey(index(dataset.dataset()), dataset.chunks(), each.chunk()));
        }
      }
    }
    return new Orders(
        plan.version(),
        slots(forServers.members()),
        shares(forServers),
        spaces,
        rotating,
        new HashMap<>());
  }

  private @Nullable SlotTable slots(List<ClusterMember> present) {
    if (!present.equals(members)) {
      members = present;
      slots = present.isEmpty() ? null : ServerPlan.slots(present);
    }
    return slots;
  }

  /** Returns what {@link ServerPlan#share} says of every server, worked out once for all. */
  private static Map<String, Double> shares(ServerPlan plan) {
    double all = plan.members().stream().mapToDouble(ClusterMember::weight).sum();
    return plan.members().stream()
        .collect(Collectors.toMap(ClusterMember::name, member -> member.weight() / all));
  }

  private SpaceKey key(String name) {
    if (name.equals(Plan.SHARED_SPACE.name())) {
      return SpaceKey.SHARED;
    }
    DatasetKey.ChunkSpace chunk =
        DatasetKey.parse(name)
            .orElseThrow(
                () -> new IllegalStateException("a plan orders an unknown space: " + name));
    return new SpaceKey(index(chunk.dataset()), chunk.chunks(), chunk.chunk());
  }

  private int index(DatasetKey key) {
    Integer index = indices.get(key);
    if (index == null) {
      throw new IllegalStateException("a plan about a data set that nobody reads: " + key);
    }
    return index;
  }
}
