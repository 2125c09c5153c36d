package io.quiver.core.plan.report;

import io.quiver.core.keep.Keeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts what one keeper has missed lately. Keepers count for ever; here old counts weigh less and
 * less. The time is passed in; one thread at a time.
 */
public final class KeeperMeter {
  /** After this time a miss counts for about a third. */
  private static final Duration MEMORY = Duration.ofMinutes(2);

  private double misses;
  private double[] ghosts = {};
  private long missesBefore;
  private List<Long> ghostsBefore = List.of();
  private long at;

  /** Begins with a keeper's counts so far, which are no longer of any interest. */
  public KeeperMeter(Keeper.Report report, long now) {
    begin(report, now);
  }

  private void begin(Keeper.Report report, long now) {
    missesBefore = misses(report);
    ghostsBefore = report.ghostHits();
    at = now;
  }

  /** Every miss ends with the offer of a new blob, taken or not. */
  private static long misses(Keeper.Report report) {
    return report.admissions() + report.refusals();
  }

  /** Returns the counts as of now. */
  public KeeperCounts count(Keeper.Report report, long now) {
    boolean another = misses(report) < missesBefore;
    double factor = Math.exp(-(double) Math.max(0, now - at) / MEMORY.toNanos());
    misses = factor * misses + (another ? 0 : misses(report) - missesBefore);
    double[] counts = new double[report.ghostHits().size()];
    for (int part = 0; part < counts.length; part++) {
      long before = part < ghostsBefore.size() ? ghostsBefore.get(part) : 0;
      double old = part < ghosts.length ? factor * ghosts[part] : 0;
      counts[part] = old + (another ? 0 : Math.max(0, report.ghostHits().get(part) - before));
    }
    ghosts = counts;
    begin(report, now);
    List<Double> told = new ArrayList<>();
    for (double each : counts) {
      told.add(each);
    }
    return new KeeperCounts(report.usedBytes(), misses, told);
  }
}
