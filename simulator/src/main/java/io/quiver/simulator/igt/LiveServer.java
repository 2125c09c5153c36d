package io.quiver.simulator.igt;

import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.KeeperMeter;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.space.SpaceId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cache server's spaces with the keepers that servers run, as a plan orders them. */
final class LiveServer {
  private final long capacityBytes;
  private final Map<SpaceId, Space> spaces = new TreeMap<>(Comparator.comparing(SpaceId::name));
  private final Map<Long, Space> spaceOf = new HashMap<>();

  /** A space with its blobs in the order in which they came. */
  private static final class Space {
    final SpaceId name;
    final KeeperKind kind;
    final Map<Long, Integer> blobs = new LinkedHashMap<>();
    final Keeper keeper;
    final KeeperMeter meter;

    Space(SpaceOrder order, long now) {
      this.name = order.name();
      this.kind = order.keeper();
      this.keeper = kind.keeper(order.quotaBytes());
      this.meter = new KeeperMeter(keeper.report(), now);
    }
  }

  LiveServer(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /** Follows a plan: spaces that it does not name go, quotas that are lower evict now. */
  void follow(List<SpaceOrder> orders, long now) {
    Set<SpaceId> named = new HashSet<>();
    orders.forEach(order -> named.add(order.name()));
    List.copyOf(spaces.keySet()).stream().filter(name -> !named.contains(name)).forEach(this::drop);
    orders.stream().filter(this::isLowered).forEach(order -> follow(order, now));
    orders.forEach(order -> follow(order, now));
  }

  private boolean isLowered(SpaceOrder order) {
    @Nullable Space known = spaces.get(order.name());
    return known != null && order.quotaBytes() < known.keeper.report().quotaBytes();
  }

  private void follow(SpaceOrder order, long now) {
    @Nullable Space known = spaces.get(order.name());
    if (known != null && known.kind == order.keeper()) {
      known.keeper.resize(order.quotaBytes(), key -> forget(known, key));
      return;
    }
    Space fresh = new Space(order, now);
    if (known != null) {
      drop(order.name());
      known.blobs.forEach((key, bytes) -> insert(fresh, key, bytes));
    }
    spaces.put(order.name(), fresh);
  }

  private void drop(SpaceId name) {
    @Nullable Space gone = spaces.remove(name);
    if (gone != null) {
      gone.blobs.keySet().forEach(spaceOf::remove);
    }
  }

  private void forget(Space space, long key) {
    space.blobs.remove(key);
    spaceOf.remove(key);
  }

  private void insert(Space space, long key, int bytes) {
    if (space.keeper.offer(key, bytes, Ranked.UNKNOWN, victim -> forget(space, victim))) {
      space.blobs.put(key, bytes);
      spaceOf.put(key, space);
    }
  }

  /** Returns true if a space has a block, which then counts as read. */
  boolean read(long key) {
    @Nullable Space space = spaceOf.get(key);
    return space != null && space.keeper.touch(key);
  }

  /** Returns true if a space has a block. */
  boolean holds(long key) {
    return spaceOf.containsKey(key);
  }

  /** Offers a block to a space. */
  void offer(SpaceId name, long key, int bytes) {
    @Nullable Space space = spaces.get(name);
    if (space != null && !spaceOf.containsKey(key)) {
      insert(space, key, bytes);
    }
  }

  /** Returns the bytes of all blobs. */
  long usedBytes() {
    return spaces.values().stream().mapToLong(each -> each.keeper.report().usedBytes()).sum();
  }

  /** Returns the report of the moment. */
  ServerReport report(long planVersion, long now) {
    Map<String, Long> sizes = new TreeMap<>();
    Map<String, KeeperCounts> counts = new TreeMap<>();
    for (Space each : spaces.values()) {
      Keeper.Report report = each.keeper.report();
      sizes.put(each.name.name(), report.usedBytes());
      if (StreamSpaceName.key(each.name.name()) != null) {
        counts.put(each.name.name(), each.meter.count(report, now));
      }
    }
    return new ServerReport(
        "server", "server", "http://server:1", capacityBytes, sizes, planVersion, false, counts);
  }
}
