package io.quiver.store.ssd;

import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore.SpaceUsage;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Finds the spaces of a store by name. */
final class StoredSpaces {
  private final ConcurrentSkipListMap<SpaceId, StoredSpace> spaces = new ConcurrentSkipListMap<>();
  private volatile boolean listening;

  /**
   * Returns the space of this name, creating it if it is absent; it may be dropped at any moment.
   */
  StoredSpace of(SpaceId id) {
    return spaces.computeIfAbsent(id, StoredSpace::new);
  }

  /** Runs an action with the space of this name while nobody can drop it. */
  <T> T holding(SpaceId id, Function<StoredSpace, T> action) {
    while (true) {
      StoredSpace space = of(id);
      Lock held = space.lifecycle().readLock();
      held.lock();
      try {
        if (!space.isDead()) {
          return action.apply(space);
        }
      } finally {
        held.unlock();
      }
      spaces.remove(id, space);
    }
  }

  /** Tells a listener of reads in the space of this name until the space is dropped. */
  void listen(SpaceId id, LongConsumer read) {
    StoredSpace _ = holding(id, space -> space.listen(read));
    listening = true;
  }

  /** Returns true if any space ever had a listener: where none has, reads need not ask. */
  boolean isAnyHeard() {
    return listening;
  }

  @Nullable StoredSpace find(SpaceId id) {
    return spaces.get(id);
  }

  void remove(StoredSpace space) {
    spaces.remove(space.id(), space);
  }

  List<SpaceUsage> usage() {
    return spaces.values().stream()
        .filter(StoredSpace::isWorthShowing)
        .map(StoredSpace::usage)
        .toList();
  }
}
