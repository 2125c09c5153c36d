package io.quiver.cli.command;

import io.quiver.node.job.EpochResult;
import io.quiver.node.job.JobSummary;
import io.quiver.report.Table;
import java.util.Locale;

/** A run's epochs side by side, for people. */
public final class JobTable {
  private JobTable() {}

  /** Returns one row for each epoch, and one for all when there are several. */
  public static Table of(JobSummary summary) {
    Table table =
        new Table(
            "epoch",
            "time",
            "samples/s",
            "hits",
            "stall",
            "store reads",
            "duplicates",
            "exactly once");
    summary.epochs().forEach(each -> table.row(cells(Integer.toString(each.epoch() + 1), each)));
    if (summary.epochs().size() > 1) {
      summary.total().ifPresent(total -> table.row(cells("all", total)));
    }
    return table;
  }

  private static String[] cells(String name, EpochResult epoch) {
    return new String[] {
      name,
      String.format(Locale.ROOT, "%.1f s", epoch.seconds()),
      String.format(Locale.ROOT, "%,.0f", epoch.samplesPerSecond()),
      String.format(Locale.ROOT, "%.1f %%", 100 * epoch.delivered().hitRatio()),
      String.format(Locale.ROOT, "%.1f %%", 100 * epoch.times().stall()),
      String.format(Locale.ROOT, "%,d", epoch.store().reads()),
      String.format(Locale.ROOT, "%,d", epoch.store().duplicates()),
      epoch.proof().exactlyOnce() ? "yes" : "NO"
    };
  }
}
