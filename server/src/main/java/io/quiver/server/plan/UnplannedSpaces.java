package io.quiver.server.plan;

import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.SpaceUsage;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Bounds the spaces that come into being because somebody inserts into them. Every space has files
 * and memory of its own, so names are not free.
 */
public final class UnplannedSpaces {
  /** Most spaces that no plan orders. */
  public static final int MOST = 1_024;

  /** Most of them that one caller has made since the server started. */
  public static final int MOST_OF_CALLER = 256;

  /** Where no name is free, the store is asked so often for spaces that went. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** Stands for the maker of spaces that were there before this server. */
  private static final String EARLIER = "";

  private final BlobStore store;
  private final PlannedSpaces planned;
  private final ReentrantLock making = new ReentrantLock();
  private final Map<SpaceId, String> makers = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;
  // Guarded by making.
  private final Set<SpaceId> seen = new HashSet<>();
  private long lookedNanos;

  /** Knows the spaces of a store. */
  public UnplannedSpaces(BlobStore store, PlannedSpaces planned, LongSupplier nanoTime) {
    this.store = store;
    this.planned = planned;
    this.nanoTime = nanoTime;
    this.lookedNanos = nanoTime.getAsLong() - LOOK_EVERY.toNanos();
  }

  /** Returns true if a caller may insert into a space, which its insert may bring into being. */
  public boolean admits(SpaceId space, String caller) {
    return planned.orders(space) || makers.containsKey(space) || make(space, caller);
  }

  private boolean make(SpaceId space, String caller) {
    making.lock();
    try {
      long now = nanoTime.getAsLong();
      if (!isFree(caller) && now - lookedNanos < LOOK_EVERY.toNanos()) {
        return false;
      }
      lookedNanos = now;
      look();
      if (!makers.containsKey(space) && isFree(caller)) {
        makers.put(space, caller);
      }
      return makers.containsKey(space);
    } finally {
      making.unlock();
    }
  }

  private boolean isFree(String caller) {
    return makers.size() < MOST
        && makers.values().stream().filter(caller::equals).count() < MOST_OF_CALLER;
  }

  /**
   * Adopts the spaces of the store and forgets those that went. One that never had a blob still
   * counts: the store may remember its name.
   */
  private void look() {
    Set<SpaceId> present =
        store.spaces().stream().map(SpaceUsage::space).collect(Collectors.toSet());
    makers
        .keySet()
        .removeIf(
            known -> planned.orders(known) || (seen.contains(known) && !present.contains(known)));
    seen.clear();
    for (SpaceId known : present) {
      if (!planned.orders(known)) {
        seen.add(known);
        makers.putIfAbsent(known, EARLIER);
      }
    }
  }
}
