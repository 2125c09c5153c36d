package io.quiver.core.plan.probe;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of all probes.
 *
 * @param running the probe under way at each store
 * @param stores the load of each store
 * @param misses what is known of each job
 * @param nextId what the next probe is called
 */
public record ProbeBook(
    Map<String, ProbeRun> running,
    Map<String, StoreLoad> stores,
    Map<String, MissRecord> misses,
    long nextId) {
  /** A book in which nothing has been written. */
  public static final ProbeBook EMPTY = new ProbeBook(Map.of(), Map.of(), Map.of(), 1);

  /**
   * A probe that is under way.
   *
   * @param job whose
   * @param store which store it reads
   * @param probe what it tries out
   * @param since when it was told to, in nanoseconds
   */
  public record ProbeRun(String job, String store, Probe probe, long since) {}

  /**
   * The readers of a store, and the number of times that they or the store's speed have changed:
   * measurements of an earlier generation are to be made again.
   *
   * @param jobs who reads it
   * @param generation grows with every change
   * @param since when it last did, in nanoseconds
   */
  public record StoreLoad(Set<String> jobs, long generation, long since) {
    /** Keeps its own copy. */
    public StoreLoad {
      jobs = Set.copyOf(jobs);
    }

    StoreLoad changed(Set<String> others, long now) {
      return new StoreLoad(others, generation + 1, now);
    }
  }

  /** Keeps views: nobody changes what is handed over, and copies of ten thousand jobs take time. */
  public ProbeBook {
    running = Collections.unmodifiableMap(running);
    stores = Collections.unmodifiableMap(stores);
    misses = Collections.unmodifiableMap(misses);
  }

  /** Returns what a job is to try out now; null for nothing. */
  public @Nullable Probe of(String job, String store) {
    ProbeRun run = running.get(store);
    return run != null && run.job().equals(job) ? run.probe() : null;
  }

  /** Returns how long an item from the store takes a job; 0 while unknown. */
  public double missSeconds(String job) {
    MissRecord miss = misses.get(job);
    return miss == null ? 0 : miss.missSeconds();
  }

  /** Returns true if another job measured that. */
  public boolean isLent(String job) {
    MissRecord miss = misses.get(job);
    return miss != null && miss.lent();
  }

  /** Returns when a job was last probed; {@link MissRecord#NEVER} if it was not. */
  long probedAt(String job) {
    MissRecord miss = misses.get(job);
    return miss == null ? MissRecord.NEVER : miss.probedAt();
  }
}
