package io.quiver.core.plan;

import java.util.Map;
import java.util.Set;

/**
 * What a plan passes on to the next beside what it shows.
 *
 * @param shares what each data set had of the room
 * @param gaining the jobs that gained from the cache
 */
record PlanMemory(Map<DatasetKey, Share> shares, Set<String> gaining) {
  static final PlanMemory NONE = new PlanMemory(Map.of(), Set.of());

  PlanMemory {
    shares = Map.copyOf(shares);
    gaining = Set.copyOf(gaining);
  }

  Share share(DatasetKey dataset) {
    return shares.getOrDefault(dataset, Share.NOTHING);
  }
}
