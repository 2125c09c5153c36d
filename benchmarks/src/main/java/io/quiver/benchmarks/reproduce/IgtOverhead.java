package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.igt.IgtStudy;
import io.quiver.simulator.igt.OverheadStudy;
import io.quiver.simulator.igt.OverheadStudy.Row;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/** IGTCache's Figure 17: what recognition costs with so many nodes, and what it gives. */
final class IgtOverhead implements Experiment {
  private static final List<Integer> NODES = List.of(100, 1_000, 10_000);
  private static final double SCALE = 0.02;
  private static final double PAPER_MICROS = 47.6;
  private static final double PAPER_MEGABYTES = 73.2;
  private static final double MB = 1e6;

  @Override
  public String name() {
    return "igt-fig17";
  }

  @Override
  public String summary() {
    return "time and memory of recognition by the nodes of the tree (IGTCache, Figure 17)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    List<Row> rows = OverheadStudy.run(NODES, setting.seed(), threads::getCurrentThreadCpuTime);
    IgtStudy study = new IgtStudy(SCALE, setting.seed());
    Table table = new Table("nodes", "µs a read", "memory, MB", "mean completion time");
    List<Double> times = new ArrayList<>();
    for (Row row : rows) {
      times.add(study.withNodes(row.nodes()).meanSeconds(any -> true));
      steps.done(times.size(), rows.size());
      table.row(
          Figures.count(row.nodes()),
          Figures.plain(row.usPerRead()),
          Figures.plain(row.bytes() / MB),
          Figures.seconds(times.getLast()));
    }
    Row usual = rows.getLast();
    List<PaperClaim> claims =
        List.of(
            PaperClaim.of(
                "Time of a read at 10,000 nodes, in µs",
                PAPER_MICROS,
                List.of(new Value("quiver", usual.usPerRead())),
                "The tree is arrays and no test runs more than once in 100 reads."),
            PaperClaim.of(
                "Memory at 10,000 nodes, in MB",
                PAPER_MEGABYTES,
                List.of(new Value("quiver", usual.bytes() / MB)),
                "Nodes have what their reads need: most have no window of their own."));
    return new Reproduction(
        "IGTCache, Figure 17",
        "Reads of all patterns by turns over more files and directories than the tree may have"
            + " nodes; and the programs of Figure 8 with trees of such sizes. There each program"
            + " has a door of its own, whose tree needs few nodes, so that completion times hardly"
            + " differ.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        List.of(
            new Observation(
                "Recognition costs less than the paper's, in time and in memory.",
                usual.usPerRead() < PAPER_MICROS && usual.bytes() / MB < PAPER_MEGABYTES)),
        List.of(),
        new PaperClaim.Document(rows, claims));
  }
}
