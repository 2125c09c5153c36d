package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;

/** The result as people read it in a terminal. */
public final class DemoTable {
  private DemoTable() {}

  /** Returns one row for each run. */
  public static Table of(DemoResult result) {
    Table table =
        new Table(
            "cache",
            "time",
            "speed-up",
            "reads per item and epoch",
            "duplicates",
            "hits",
            "stall",
            "exactly once");
    double slowest = result.slowestSeconds();
    for (RunResult run : result.runs()) {
      table.row(
          run.mode().title(),
          Figures.seconds(run.seconds()),
          Figures.times(run.seconds() == 0 ? 1 : slowest / run.seconds()),
          Figures.ratio(run.readsPerItemEpoch()),
          Figures.percent(run.duplicateFetches()),
          Figures.percent(run.hitRatio()),
          Figures.percent(run.stall()),
          run.exactlyOnce() ? "yes" : "NO");
    }
    return table;
  }
}
