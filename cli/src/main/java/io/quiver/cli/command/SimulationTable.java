package io.quiver.cli.command;

import io.quiver.report.ByteSize;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.result.SimulationDocument;
import java.util.List;

/** A simulation's jobs as people read them in a terminal. */
public final class SimulationTable {
  private static final int MOST_ROWS = 40;

  private SimulationTable() {}

  /** One row for each job; of very many, the first. */
  public static Table of(SimulationDocument result) {
    Table table =
        new Table("job", "GPUs", "start", "time", "batches", "hits", "stall", "from store");
    List<SimulationDocument.Job> jobs = result.jobs();
    for (SimulationDocument.Job job : jobs.subList(0, Math.min(MOST_ROWS, jobs.size()))) {
      table.row(
          job.name() + (job.killed() ? " (killed)" : ""),
          "" + job.gpus(),
          Figures.seconds(job.startSeconds()),
          Figures.seconds(job.seconds()),
          Figures.count(job.batches()),
          Figures.percent(job.hitRatio()),
          Figures.percent(job.stall()),
          ByteSize.show(job.storeBytes()));
    }
    return table;
  }

  /** Returns the number of jobs that the table leaves out. */
  public static int leftOut(SimulationDocument result) {
    return Math.max(0, result.jobs().size() - MOST_ROWS);
  }
}
