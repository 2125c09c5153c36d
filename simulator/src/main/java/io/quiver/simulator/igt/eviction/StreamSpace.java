package io.quiver.simulator.igt.eviction;

import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.Ranked;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.stream.AccessPattern;
import io.quiver.simulator.keep.Evicting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The space of one stream as it is kept live: the plan orders the keeper that suits the pattern,
 * and a new keeper takes over what the one before has. Of a sequential stream nothing is inserted.
 */
final class StreamSpace implements Evicting {
  private final Map<Long, Long> lengths = new LinkedHashMap<>();
  private final List<PatternChange> changes;
  private final long capacityBytes;
  private Keeper keeper;
  private boolean inserts = true;
  private int reads;
  private int changed;

  /**
   * Makes an empty space.
   *
   * @param changes the patterns that a door recognises while the stream is read
   */
  StreamSpace(long capacityBytes, List<PatternChange> changes) {
    this.capacityBytes = capacityBytes;
    this.changes = changes;
    this.keeper = StreamOrder.keeper(AccessPattern.UNKNOWN).keeper(capacityBytes);
  }

  @Override
  public boolean read(long key, long bytes) {
    reads++;
    boolean hit = keeper.touch(key);
    if (!hit && inserts) {
      offer(key, bytes);
    }
    while (changed < changes.size() && changes.get(changed).afterReads() <= reads) {
      follow(changes.get(changed++).pattern());
    }
    return hit;
  }

  private void offer(long key, long bytes) {
    if (keeper.offer(key, bytes, Ranked.UNKNOWN, lengths::remove)) {
      lengths.put(key, bytes);
    }
  }

  private void follow(AccessPattern pattern) {
    inserts = pattern != AccessPattern.SEQUENTIAL;
    Map<Long, Long> before = new LinkedHashMap<>(lengths);
    lengths.clear();
    keeper = StreamOrder.keeper(pattern).keeper(capacityBytes);
    before.forEach(this::offer);
  }

  @Override
  public boolean holds(long key) {
    return keeper.holds(key);
  }

  @Override
  public long usedBytes() {
    return keeper.report().usedBytes();
  }
}
