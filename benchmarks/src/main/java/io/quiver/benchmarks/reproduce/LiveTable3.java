package io.quiver.benchmarks.reproduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.demo.data.ImageFolder;
import io.quiver.benchmarks.demo.data.SyntheticImages;
import io.quiver.node.NodeException;
import io.quiver.node.WorkFolder;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.simulator.Simulation;
import io.quiver.simulator.experiment.EpochTimes;
import io.quiver.simulator.experiment.Workload;
import io.quiver.simulator.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compares the simulator with real processes: Table 3 on a small scale, live and simulated. */
final class LiveTable3 implements Experiment {
  private static final double TOLERANCE = 0.10;

  /**
   * A row of the document.
   *
   * @param workload the model
   * @param mode none, all or planned
   * @param liveSeconds what the last epoch took the jobs on average
   * @param simulatedSeconds what the simulator says
   * @param ratio the second divided by the first
   */
  record Row(
      String workload,
      String mode,
      @JsonProperty("live_s") double liveSeconds,
      @JsonProperty("simulated_s") double simulatedSeconds,
      double ratio) {
    boolean agrees() {
      return Math.abs(ratio - 1) <= TOLERANCE;
    }
  }

  @Override
  public String name() {
    return "live-table3";
  }

  @Override
  public String summary() {
    return "Table 3 on a small scale with real processes, beside the simulator's prediction"
        + " (5 to 6 minutes)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    int all = 3 * Workload.ALL.size();
    try (WorkFolder work = WorkFolder.in(Path.of(System.getProperty("java.io.tmpdir")))) {
      for (Workload workload : Workload.ALL) {
        ScaledWorkload scaled = ScaledWorkload.of(workload);
        Path digest = data(scaled, work.path(), setting.seed());
        long bytes = length(digest);
        LiveRuns live = new LiveRuns(scaled, digest, work.path(), setting.program());
        double cacheBytes = ScaledWorkload.CACHE_SHARE * bytes;
        rows.add(row(scaled, "none", live.misses(), bytes, cacheBytes, setting));
        steps.done(rows.size(), all);
        rows.add(row(scaled, "all", live.cached(bytes * 5 / 4, true), bytes, 2.0 * bytes, setting));
        steps.done(rows.size(), all);
        rows.add(
            row(
                scaled,
                "planned",
                live.cached((long) cacheBytes, false),
                bytes,
                cacheBytes,
                setting));
        steps.done(rows.size(), all);
      }
    }
    return told(rows);
  }

  private static Path data(ScaledWorkload workload, Path work, long seed)
      throws IOException, InterruptedException {
    SyntheticImages images =
        new SyntheticImages(ScaledWorkload.ITEMS, workload.itemBytes(), 10, seed);
    ImageFolder folder = new ImageFolder(images, work);
    folder.writeItems(_ -> {});
    folder.writeDigest(new DigestProgress());
    return folder.digest();
  }

  private static long length(Path digest) throws IOException {
    try (DigestFile file = DigestFile.open(digest)) {
      return file.digest().totalBytes();
    }
  }

  private static Row row(
      ScaledWorkload workload,
      String caching,
      double live,
      long bytes,
      double cacheBytes,
      Setting setting) {
    Scenario scenario =
        Scenario.parse(workload.name(), workload.scenario(caching, bytes, cacheBytes));
    EpochTimes times = new EpochTimes();
    Simulation.run(scenario, setting.seed(), List.of(times));
    double simulated = times.seconds(ScaledWorkload.EPOCHS - 1);
    return new Row(
        workload.name(), caching, rounded(live), rounded(simulated), rounded(simulated / live));
  }

  private static double rounded(double value) {
    return Math.round(1000 * value) / 1000.0;
  }

  private static Reproduction told(List<Row> rows) {
    Table table = new Table("workload", "cache", "live", "simulated", "simulated / live");
    for (Row row : rows) {
      table.row(
          row.workload(),
          title(row.mode()),
          Figures.seconds(row.liveSeconds()),
          Figures.seconds(row.simulatedSeconds()),
          Figures.ratio(row.ratio()));
    }
    return new Reproduction(
        "Table 3 live, and what the simulator says",
        ScaledWorkload.JOBS
            + " processes on one machine, each with a store of its own speed; "
            + ScaledWorkload.ITEMS
            + " items, "
            + ScaledWorkload.EPOCHS
            + " epochs, of which the last is compared; bytes and times of the paper's mini-batches on"
            + " a small scale.",
        table,
        List.of("The simulator is believed when it is within 10 % of every live run."),
        List.of(picture(rows)),
        rows,
        rows.stream().allMatch(Row::agrees));
  }

  private static String title(String mode) {
    return switch (mode) {
      case "none" -> "none";
      case "all" -> "all cached";
      default -> "cold, a fifth";
    };
  }

  private static Reproduction.Picture picture(List<Row> rows) {
    List<BarPlot.Group> groups =
        rows.stream()
            .map(row ->
                new BarPlot.Group(
                    row.workload() + ", " + title(row.mode()),
                    List.of(
                        new BarPlot.Bar("quiver", "live", row.liveSeconds()),
                        new BarPlot.Bar("published", "simulated", row.simulatedSeconds()))))
            .toList();
    return new Reproduction.Picture(
        "Live and simulated",
        "Average seconds of a job's last epoch.",
        new BarPlot(
                "live",
                "Live and simulated times",
                "Pairs of bars are alike where the simulator tells the truth.",
                "run",
                "seconds",
                groups)
            .svg(),
        Legend.boxes(
            List.of(
                new Legend.Entry("quiver", "live"), new Legend.Entry("published", "simulated"))));
  }
}
