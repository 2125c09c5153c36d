package io.quiver.simulator.cluster;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.report.SpaceSizes;
import io.quiver.simulator.cluster.DatasetCache.SpaceKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The spaces of a server in the order they came, without their bytes. Servers that have followed
 * the same plans share one, so that the orders of a plan are worked out once for all of them.
 */
final class SpaceLayout {
  /** The place of a space that is not there. */
  static final int NOWHERE = -1;

  private final List<PlannedSpace> spaces;
  private final Map<SpaceKey, Integer> places;
  private final SpaceSizes.SpaceNames names;
  private final int[] reported;
  private final int kept;
  // Most questions are about the space of the question before.
  private @Nullable SpaceKey lastKey;
  private int lastPlace;

  /** A space, which a plan has ordered. */
  record PlannedSpace(SpaceKey key, String name, KeeperKind keeper, boolean rotating) {
    boolean isKept() {
      return keeper != KeeperKind.FIXED;
    }
  }

  /** The change that a plan makes. */
  static final class LayoutChange {
    private final List<Integer> dropped;
    private final SpaceLayout after;
    // For each space after the change, its place before.
    private final int[] origins;
    private final List<Integer> touched;

    LayoutChange(List<Integer> dropped, SpaceLayout after, int[] origins, List<Integer> touched) {
      this.dropped = dropped;
      this.after = after;
      this.origins = origins;
      this.touched = touched;
    }

    /** Returns the places before of the spaces that go. */
    List<Integer> dropped() {
      return dropped;
    }

    SpaceLayout after() {
      return after;
    }

    /**
     * Returns the places after of spaces that are new, have another role, or have a keeper, in the
     * order of the plan.
     */
    List<Integer> touched() {
      return touched;
    }

    /** Returns the bytes of the spaces after, from those before; new ones are empty. */
    long[] moved(long[] bytes) {
      long[] moved = new long[origins.length];
      for (int place = 0; place < origins.length; place++) {
        int origin = origins[place];
        moved[place] = origin == NOWHERE ? 0 : bytes[origin];
      }
      return moved;
    }
  }

  SpaceLayout(List<PlannedSpace> spaces) {
    this.spaces = List.copyOf(spaces);
    this.places = HashMap.newHashMap(spaces.size());
    this.names = SpaceSizes.SpaceNames.of(spaces.stream().map(PlannedSpace::name).toList());
    this.reported = spaces.stream().mapToInt(space -> names.place(space.name())).toArray();
    int keeper = NOWHERE;
    for (int place = 0; place < spaces.size(); place++) {
      places.put(spaces.get(place).key(), place);
      keeper = spaces.get(place).isKept() ? place : keeper;
    }
    this.kept = keeper;
  }

  int size() {
    return spaces.size();
  }

  PlannedSpace space(int place) {
    return spaces.get(place);
  }

  /** Returns the place of the space with a keeper, or {@link #NOWHERE}. */
  int kept() {
    return kept;
  }

  /** Returns the place of a space, or {@link #NOWHERE}. */
  @SuppressWarnings("ReferenceEquality") // Equal keys that are not the same only take longer.
  int place(SpaceKey key) {
    if (key != lastKey) {
      lastKey = key;
      lastPlace = places.getOrDefault(key, NOWHERE);
    }
    return lastPlace;
  }

  /** Returns the sizes of the spaces as a server reports them. */
  SpaceSizes sizes(long[] bytes) {
    long[] sorted = new long[bytes.length];
    for (int place = 0; place < bytes.length; place++) {
      sorted[reported[place]] = bytes[place];
    }
    return SpaceSizes.of(names, sorted);
  }

  /** Returns the change that orders make: what they do not name goes, what they add comes last. */
  LayoutChange ordered(Map<SpaceKey, SpaceOrder> orders, Set<SpaceKey> rotating) {
    List<PlannedSpace> after = new ArrayList<>();
    int[] stays = IntStream.range(0, size()).filter(at -> stays(spaces.get(at), orders)).toArray();
    List<Integer> dropped =
        IntStream.range(0, size()).filter(at -> !stays(spaces.get(at), orders)).boxed().toList();
    for (int place : stays) {
      PlannedSpace space = spaces.get(place);
      boolean rotates = rotating.contains(space.key);
      after.add(new PlannedSpace(space.key, space.name, space.keeper, rotates));
    }
    orders.forEach((key, order) -> {
      int before = places.getOrDefault(key, NOWHERE);
      if (before == NOWHERE || !stays(spaces.get(before), orders)) {
        after.add(
            new PlannedSpace(key, order.name().name(), order.keeper(), rotating.contains(key)));
      }
    });
    SpaceLayout next = after.equals(spaces) ? this : new SpaceLayout(after);
    int[] origins =
        IntStream.range(0, after.size())
            .map(at -> at < stays.length ? stays[at] : NOWHERE)
            .toArray();
    List<Integer> touched =
        orders.keySet().stream()
            .mapToInt(next::place)
            .filter(at -> next.space(at).isKept() || isNews(next.space(at), origins[at]))
            .boxed()
            .toList();
    return new LayoutChange(dropped, next, origins, touched);
  }

  private static boolean stays(PlannedSpace space, Map<SpaceKey, SpaceOrder> orders) {
    SpaceOrder order = orders.get(space.key);
    return order != null && order.keeper() == space.keeper;
  }

  private boolean isNews(PlannedSpace space, int origin) {
    return origin == NOWHERE || spaces.get(origin).rotating != space.rotating;
  }
}
