package io.quiver.benchmarks.reproduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.demo.data.ImageFolder;
import io.quiver.benchmarks.demo.data.SyntheticImages;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
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
import java.util.stream.Collectors;

/**
 * Compares the simulator with real processes: Table 3 on a small scale, live and simulated, epoch
 * by epoch. Only the last epoch is held to a tolerance: in the first, processes start and compile
 * their code, which the simulator does not model, and a job that falls behind then still does so in
 * the second.
 */
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
   * @param epochs every epoch, the first first
   */
  record Row(
      String workload,
      String mode,
      @JsonProperty("live_s") double liveSeconds,
      @JsonProperty("simulated_s") double simulatedSeconds,
      double ratio,
      List<ComparedEpoch> epochs) {
    Row {
      epochs = List.copyOf(epochs);
    }

    static Row of(String workload, String mode, List<ComparedEpoch> epochs) {
      ComparedEpoch last = epochs.getLast();
      return new Row(workload, mode, last.liveSeconds, last.simulatedSeconds, last.ratio, epochs);
    }

    boolean agrees() {
      return Math.abs(ratio - 1) <= TOLERANCE;
    }
  }

  /** The average time of an epoch, live and simulated. */
  record ComparedEpoch(
      @JsonProperty("live_s") double liveSeconds,
      @JsonProperty("simulated_s") double simulatedSeconds,
      double ratio) {
    static ComparedEpoch of(double live, double simulated) {
      return new ComparedEpoch(rounded(live), rounded(simulated), rounded(simulated / live));
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
      List<Double> live,
      long bytes,
      double cacheBytes,
      Setting setting) {
    Scenario scenario =
        Scenario.parse(workload.name(), workload.scenario(caching, bytes, cacheBytes));
    EpochTimes times = new EpochTimes();
    Simulation.run(scenario, setting.seed(), List.of(times));
    List<ComparedEpoch> epochs = new ArrayList<>();
    for (int epoch = 0; epoch < live.size(); epoch++) {
      epochs.add(ComparedEpoch.of(live.get(epoch), times.seconds(epoch)));
    }
    return Row.of(workload.name(), caching, epochs);
  }

  private static double rounded(double value) {
    return Math.round(1000 * value) / 1000.0;
  }

  static Reproduction told(List<Row> rows) {
    Table table = new Table("workload", "cache", "epoch", "live", "simulated", "simulated / live");
    for (Row row : rows) {
      for (int epoch = 0; epoch < row.epochs().size(); epoch++) {
        ComparedEpoch each = row.epochs().get(epoch);
        table.row(
            row.workload(),
            title(row.mode()),
            "" + (epoch + 1),
            Figures.seconds(each.liveSeconds()),
            Figures.seconds(each.simulatedSeconds()),
            Figures.ratio(each.ratio()));
      }
    }
    return new Reproduction(
        "Table 3 live, and what the simulator says",
        ScaledWorkload.JOBS
            + " processes on one machine, each with a store of its own speed; "
            + ScaledWorkload.ITEMS
            + " items, "
            + ScaledWorkload.EPOCHS
            + " epochs; bytes and times of the paper's mini-batches on a small scale.",
        table,
        List.of(
            "Not modelled: starting processes and compiling their code on the same processors. Live,"
                + " the first epoch took "
                + Figures.seconds(behind(rows, 0))
                + " more than simulated on average and the second "
                + Figures.seconds(behind(rows, 1))
                + " more; the last shows what is modelled."),
        rows.stream().map(LiveTable3::observation).toList(),
        List.of(picture(rows)),
        rows);
  }

  private static double behind(List<Row> rows, int epoch) {
    return rows.stream()
        .map(row -> row.epochs().get(epoch))
        .mapToDouble(each -> each.liveSeconds() - each.simulatedSeconds())
        .average()
        .orElse(0);
  }

  private static Observation observation(Row row) {
    return new Observation(
        row.workload()
            + ", "
            + title(row.mode())
            + ": the simulator's last epoch is within 10 % of the live one ("
            + Figures.ratio(row.ratio())
            + ").",
        row.agrees());
  }

  private static String title(String mode) {
    return switch (mode) {
      case "none" -> "none";
      case "all" -> "all cached";
      default -> "a fifth";
    };
  }

  private static Reproduction.Picture picture(List<Row> rows) {
    List<BarPlot.Group> groups =
        rows.stream()
            .map(row ->
                new BarPlot.Group(
                    row.workload() + ", " + title(row.mode()),
                    List.of(
                        bar("none", "live, first epoch", row.epochs().getFirst().liveSeconds()),
                        bar("lru", "simulated", row.epochs().getFirst().simulatedSeconds()),
                        bar("quiver", "live, last epoch", row.liveSeconds()),
                        bar("published", "simulated", row.simulatedSeconds()))))
            .toList();
    return new Reproduction.Picture(
        "Live and simulated",
        "Average seconds of a job's first and last epoch.",
        new BarPlot(
                "live",
                "Live and simulated times",
                rows.stream()
                    .map(row -> row.workload() + " " + row.mode() + " " + row.ratio())
                    .collect(Collectors.joining(", ", "Simulated / live: ", "")),
                "run",
                "seconds",
                groups)
            .svg(),
        Legend.boxes(
            List.of(
                new Legend.Entry("none", "live, first epoch"),
                new Legend.Entry("lru", "simulated, first epoch"),
                new Legend.Entry("quiver", "live, last epoch"),
                new Legend.Entry("published", "simulated, last epoch"))));
  }

  private static BarPlot.Bar bar(String style, String name, double seconds) {
    return new BarPlot.Bar(style, name, seconds);
  }
}
