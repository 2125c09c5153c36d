package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.simulator.experiment.Sharing;
import java.util.List;
import java.util.stream.Collectors;

/** Quiver's §5.4: one job, a multi-job, and different jobs on one data set. */
final class QuiverSharing implements Experiment {
  @Override
  public String name() {
    return "quiver-sharing";
  }

  @Override
  public String summary() {
    return "who gains from the cache: one job, a multi-job, different jobs (FAST '20, §5.4)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(Sharing.run(setting.seed(), steps::done));
  }

  static Reproduction told(List<Sharing.Row> rows) {
    Table table =
        new Table(
            "scenario",
            "jobs",
            "cache size",
            "epoch, no cache",
            "first epoch",
            "last epoch",
            "speed-up",
            "reads per item",
            "reads, no cache",
            "the paper");
    for (Sharing.Row row : rows) {
      table.row(
          row.scenario(),
          "" + row.jobs(),
          Figures.percent(row.cacheShare()),
          Figures.seconds(row.missEpochSeconds()),
          Figures.seconds(row.firstEpochSeconds()),
          Figures.seconds(row.lastEpochSeconds()),
          Figures.ratio(row.speedup()),
          Figures.ratio(row.reads()),
          Figures.ratio(row.readsAlone()),
          row.expectation());
    }
    return new Reproduction(
        "Quiver, FAST ’20, §5.4: sharing",
        "Jobs read ImageNet for three epochs, beginning with a cold cache for all of it or"
            + " a part. The first epoch fills the cache; the last shows its benefit. Reads from"
            + " the store are counted per item, for all jobs together.",
        table,
        List.of("In the paper one job gains nothing from a cache for half of the data."),
        rows.stream().map(QuiverSharing::observation).toList(),
        List.of(picture(rows)),
        rows);
  }

  private static Observation observation(Sharing.Row row) {
    return new Observation(
        row.scenario()
            + ", cache for "
            + Figures.percent(row.cacheShare())
            + ": the last epoch is faster than one without a cache ("
            + Figures.times(row.speedup())
            + ") and reads less from the store ("
            + Figures.ratio(row.reads())
            + " instead of "
            + Figures.ratio(row.readsAlone())
            + " reads of an item).",
        row.speedup() > 1 && row.reads() < row.readsAlone());
  }

  private static Reproduction.Picture picture(List<Sharing.Row> rows) {
    List<BarPlot.Group> groups =
        rows.stream()
            .map(row ->
                new BarPlot.Group(
                    row.scenario() + ", " + Figures.plain(100 * row.cacheShare()) + " %",
                    List.of(
                        new BarPlot.Bar("none", "no cache", Math.rint(row.missEpochSeconds())),
                        new BarPlot.Bar("lru", "first epoch", Math.rint(row.firstEpochSeconds())),
                        new BarPlot.Bar(
                            "quiver", "last epoch", Math.rint(row.lastEpochSeconds())))))
            .toList();
    return new Reproduction.Picture(
        "Time of an epoch",
        "Seconds, on average over the jobs; lower is better.",
        new BarPlot(
                "sharing",
                "Time of an epoch in each scenario",
                rows.stream()
                    .map(row -> row.scenario() + " " + Figures.times(row.speedup()) + " as fast")
                    .collect(Collectors.joining(", ")),
                "scenario and cache size",
                "seconds",
                groups)
            .svg(),
        Legend.boxes(
            List.of(
                new Legend.Entry("none", "no cache"),
                new Legend.Entry("lru", "first epoch, from a cold cache"),
                new Legend.Entry("quiver", "last epoch"))));
  }
}
