package io.quiver.store.ssd;

import io.quiver.core.space.SpaceId;
import io.quiver.store.SpaceUsage;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The spaces of a store by name. */
final class Spaces {
  private final ConcurrentSkipListMap<SpaceId, Space> spaces = new ConcurrentSkipListMap<>();

  /** The space of this name, made if it is not here; it may be dropped at any moment. */
  Space of(SpaceId id) {
    return spaces.computeIfAbsent(id, Space::new);
  }

  /** Does something with the space of this name while nobody can drop it. */
  <T> T holding(SpaceId id, Function<Space, T> action) {
    while (true) {
      Space space = of(id);
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

  @Nullable Space find(SpaceId id) {
    return spaces.get(id);
  }

  void remove(Space space) {
    spaces.remove(space.id(), space);
  }

  List<SpaceUsage> usage() {
    return spaces.values().stream().filter(Space::isWorthShowing).map(Space::usage).toList();
  }
}
