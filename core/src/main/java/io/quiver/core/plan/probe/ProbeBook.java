package io.quiver.core.plan.probe;

import java.time.Duration;
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
   * measurements of an earlier generation are to be made again. So are those that have become old.
   * A store that was as fast as before is measured again after twice the time.
   *
   * @param jobs who reads it
   * @param generation grows with every change
   * @param since when it last did, in nanoseconds
   * @param goodFor how long its measurements are believed from then on, in nanoseconds
   */
  public record StoreLoad(Set<String> jobs, long generation, long since, long goodFor) {
    private static final long LEAST_GOOD = Duration.ofHours(1).toNanos();
    private static final long MOST_GOOD = Duration.ofHours(8).toNanos();

    /** Keeps its own copy. */
    public StoreLoad {
      jobs = Set.copyOf(jobs);
    }

    static StoreLoad begun(Set<String> jobs, long now) {
      return new StoreLoad(jobs, 0, now, LEAST_GOOD);
    }

    StoreLoad changed(Set<String> others, long now) {
      return new StoreLoad(others, generation + 1, now, LEAST_GOOD);
    }

    /** Returns a copy that is measured again soon, because its speed was found to be another. */
    StoreLoad unsteady() {
      return new StoreLoad(jobs, generation, since, LEAST_GOOD);
    }

    /** Returns the load that follows once its measurements are old; itself until then. */
    StoreLoad aged(long now) {
      return now - since < goodFor
          ? this
          : new StoreLoad(jobs, generation + 1, now, Math.min(2 * goodFor, MOST_GOOD));
    }
  }

  /**
   * The measured speed of a job that reads the store.
   *
   * @param instance which run of the job
   * @param generation of the store's load, in which it was measured; see {@link
   *     ProbeBook.StoreLoad}
   * @param seconds the time of an item
   * @param uncachedSeconds the longest such time measured while nothing of the data set was held,
   *     with the jobs there are: what it would come to without the cache; 0 for none
   * @param probedAt when its last probe ended
   * @param lent whether another job measured it, one that is like this
   */
  public record MissRecord(
      String instance,
      long generation,
      double seconds,
      double uncachedSeconds,
      long probedAt,
      boolean lent) {
    static final long NEVER = Long.MIN_VALUE / 2;

    static MissRecord unknown(String instance) {
      return new MissRecord(instance, -1, 0, 0, NEVER, false);
    }

    /** Returns a copy with the job's own measurement. */
    MissRecord measured(long inGeneration, double time, double uncached) {
      return with(inGeneration, time, uncached, false);
    }

    /** Returns a copy with the measurement of a job like it. */
    MissRecord lent(long inGeneration, double time) {
      return with(inGeneration, time, uncachedSeconds, true);
    }

    /** Returns a copy with the time measured while nothing was cached. */
    MissRecord uncached(double time) {
      return with(generation, seconds, time, lent);
    }

    private MissRecord with(long inGeneration, double time, double uncached, boolean others) {
      boolean same =
          inGeneration == generation
              && time == seconds
              && uncached == uncachedSeconds
              && others == lent;
      return same ? this : new MissRecord(instance, inGeneration, time, uncached, probedAt, others);
    }

    MissRecord probed(long at) {
      return new MissRecord(instance, generation, seconds, uncachedSeconds, at, lent);
    }

    /**
     * Returns what the planner goes by: probes while others read the cache say too little of a busy
     * store.
     */
    double missSeconds() {
      return Math.max(seconds, uncachedSeconds);
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
