package io.quiver.core.plan;

import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * What a plan passes on to the next beside what it shows.
 *
 * @param shares what each data set had of the capacity
 * @param gaining the jobs that gained from the cache
 * @param probes who is probed, and what came of it
 */
record PlanMemory(Map<DatasetKey, Share> shares, Set<String> gaining, ProbeBook probes) {
  static final PlanMemory NONE = new PlanMemory(Map.of(), Set.of(), ProbeBook.EMPTY);

  /** Nobody changes what is handed over here; copies of ten thousand jobs would take time. */
  PlanMemory {
    shares = Collections.unmodifiableMap(shares);
    gaining = Collections.unmodifiableSet(gaining);
  }

  Share share(DatasetKey dataset) {
    return shares.getOrDefault(dataset, Share.NOTHING);
  }
}
