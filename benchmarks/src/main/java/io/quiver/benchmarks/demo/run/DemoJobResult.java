package io.quiver.benchmarks.demo.run;

import java.util.List;

/**
 * The result of one job.
 *
 * @param name what it is called
 * @param speed how many times longer it works on a batch than the fastest kind
 * @param startSeconds when it started
 * @param epochEnds when each of its epochs ended, in seconds like the start
 * @param items items it was given
 * @param hits those that came from the cache
 * @param waitSeconds how long it waited for batches
 * @param workSeconds how long it worked on them
 * @param storeReads items it read from the store, also for others
 * @param duplicates those that turned out to be in the cache when it inserted them
 * @param exactlyOnce whether its ledger proves every item exactly once per epoch, with right bytes
 * @param verdict what the ledger says, in words
 */
public record DemoJobResult(
    String name,
    double speed,
    double startSeconds,
    List<Double> epochEnds,
    long items,
    long hits,
    double waitSeconds,
    double workSeconds,
    long storeReads,
    long duplicates,
    boolean exactlyOnce,
    String verdict) {
  /** Keeps its own copy. */
  public DemoJobResult {
    epochEnds = List.copyOf(epochEnds);
  }

  /** Returns when it ended. */
  public double endSeconds() {
    return epochEnds.isEmpty() ? startSeconds : epochEnds.getLast();
  }

  /** Returns how long it took. */
  public double seconds() {
    return endSeconds() - startSeconds;
  }
}
