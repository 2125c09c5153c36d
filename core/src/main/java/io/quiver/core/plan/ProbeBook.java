package io.quiver.core.plan;

import io.quiver.core.benefit.Probe;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of probes.
 *
 * @param running the probe under way at each store
 * @param stores the load of each store
 * @param misses what is known of each job
 * @param nextId what the next probe is called
 */
record ProbeBook(
    Map<String, ProbeRun> running,
    Map<String, StoreLoad> stores,
    Map<String, MissRecord> misses,
    long nextId) {
  static final ProbeBook EMPTY = new ProbeBook(Map.of(), Map.of(), Map.of(), 1);

  /** Nobody changes what is handed over here; copies of ten thousand jobs would take time. */
  ProbeBook {
    running = Collections.unmodifiableMap(running);
    stores = Collections.unmodifiableMap(stores);
    misses = Collections.unmodifiableMap(misses);
  }

  /** What a job is to try out now. */
  @Nullable Probe of(String job, String store) {
    ProbeRun run = running.get(store);
    return run != null && run.job().equals(job) ? run.probe() : null;
  }

  /** How long an item from the store takes a job; 0 while unknown. */
  double missSeconds(String job) {
    MissRecord miss = misses.get(job);
    return miss == null ? 0 : miss.missSeconds();
  }

  /** Whether that was measured by another job. */
  boolean isLent(String job) {
    MissRecord miss = misses.get(job);
    return miss != null && miss.lent();
  }

  /** When a job was last probed; {@link MissRecord#NEVER} if it was not. */
  long probedAt(String job) {
    MissRecord miss = misses.get(job);
    return miss == null ? MissRecord.NEVER : miss.probedAt();
  }
}
