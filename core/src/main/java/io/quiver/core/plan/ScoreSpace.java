package io.quiver.core.plan;

import io.quiver.core.importance.ScoreColumn;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.space.SpaceId;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Plans the space through which jobs tell each other scores of samples. Old columns go when new
 * ones come: it keeps those that were read or written last.
 */
final class ScoreSpace {
  private static final SpaceId NAME = new SpaceId(DatasetKey.SPACE_PREFIX + "scores");

  /** A column of each part in a group, its successor, and half of that for chance. */
  private static final int COLUMNS = 3;

  /** Scores take this part of the capacity at most. */
  private static final int MOST_OF_CAPACITY = 8;

  private ScoreSpace() {}

  /**
   * Returns the order of the space; null while nobody shares scores.
   *
   * @param capacity asked for only if somebody does
   */
  static @Nullable SpaceOrder order(Observations seen, LongSupplier capacity) {
    long bytes =
        seen.jobs().stream()
            .map(Observed::report)
            .mapToLong(job -> COLUMNS * (long) job.scores().size() * column(job))
            .sum();
    if (bytes == 0) {
      return null;
    }
    // Chance may place all columns on one server, which has its share of the quota alone.
    double wanted = (double) bytes * Math.max(1, seen.servers().size());
    long quota = (long) Math.min(wanted, (double) capacity.getAsLong() / MOST_OF_CAPACITY);
    return quota == 0 ? null : new SpaceOrder(NAME, KeeperKind.RECENT, quota);
  }

  private static long column(JobReport job) {
    return ScoreColumn.HEADER_BYTES + 4L * job.items();
  }
}
