package io.quiver.core.plan.stream;

import io.quiver.core.plan.allocate.JobSpeed;
import java.util.Optional;

/** Turns what a door measures of its programs' reads into the speed of a job. */
public final class ReadSpeed {
  /**
   * A door does not see if a GPU waits behind its programs. They count as one GPU that becomes at
   * most so many times as fast: otherwise a bare copy of a folder would outweigh any training.
   */
  private static final double MOST_BENEFIT = 2;

  /** While no read was answered by the cache, such a read is taken to last this share. */
  private static final double UNKNOWN_HIT = 0.25;

  private ReadSpeed() {}

  /**
   * The reads of the programs behind a door, or of a stream of them.
   *
   * @param readsPerSecond how often they read
   * @param storeShare the share of reads that waited for the store
   * @param cacheSeconds the time of a read that the cache answers; 0 while unknown
   * @param storeSeconds the time of a read that the store answers; 0 while unknown
   */
  public record Measured(
      double readsPerSecond, double storeShare, double cacheSeconds, double storeSeconds) {
    /** Returns a copy in which the time of a hit is known, by a guess if need be. */
    public Measured guessed() {
      return cacheSeconds > 0
          ? this
          : new Measured(readsPerSecond, storeShare, UNKNOWN_HIT * storeSeconds, storeSeconds);
    }
  }

  /**
   * Returns the speed per read. The time programs do not wait follows from how often they read: so
   * many reads are under way as there are readers, and one at least.
   */
  public static Optional<JobSpeed> of(String job, Measured reads) {
    double rate = reads.readsPerSecond;
    if (rate <= 0 || reads.cacheSeconds <= 0 || reads.storeSeconds <= 0) {
      return Optional.empty();
    }
    double waiting =
        reads.storeShare * reads.storeSeconds + (1 - reads.storeShare) * reads.cacheSeconds;
    double readers = Math.max(1, rate * waiting);
    double thinking = Math.max(0, readers / rate - waiting);
    double miss = (thinking + reads.storeSeconds) / readers;
    double hit = (thinking + reads.cacheSeconds) / readers;
    return Optional.of(JobSpeed.waiting(job, Math.max(hit, miss / MOST_BENEFIT), miss));
  }
}
