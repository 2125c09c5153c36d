package io.quiver.benchmarks.demo.run;

import io.quiver.client.loader.LoaderStatistics;
import io.quiver.node.job.EpochResult.LoopTimes;
import java.util.List;

/**
 * The result of one job.
 *
 * @param name what it is called
 * @param speed how many times longer it works on a batch than the fastest kind
 * @param startSeconds when it started
 * @param epochEnds when each of its epochs ended, in seconds like the start
 * @param statistics what its loader counted
 * @param times how long it waited for batches and worked on them
 * @param exactlyOnce whether its ledger proves every item exactly once per epoch, with right bytes
 * @param verdict what the ledger says, in words
 */
public record DemoJobResult(
    String name,
    double speed,
    double startSeconds,
    List<Double> epochEnds,
    LoaderStatistics statistics,
    LoopTimes times,
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
