package io.quiver.benchmarks.reproduce;

import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Series;
import io.quiver.simulator.experiment.Figure6;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Quiver's Figure 6: a mix of jobs on 48 GPUs, and who decides what the cache holds. */
final class QuiverFigure6 implements Experiment {
  private static final List<Legend.Entry> KEY =
      List.of(
          new Legend.Entry("none", "no cache"),
          new Legend.Entry("lru", "shared LRU"),
          new Legend.Entry("greedy3", "the paper's planner"),
          new Legend.Entry("quiver", "ours"),
          new Legend.Entry("published", "as published"));

  /**
   * A row of the document.
   *
   * @param cacheGb how much the cache holds
   * @param planner none, lru, greedy3 or marginal
   * @param speedup how many times as fast as without a cache, on average over the jobs
   * @param paper what was published, null where nothing was
   */
  record Row(int cacheGb, String planner, double speedup, @Nullable Double paper) {}

  @Override
  public String name() {
    return "quiver-fig6";
  }

  @Override
  public String summary() {
    return "12 jobs on 48 GPUs, 100 / 200 / 700 GB of cache: none, LRU, the paper, ours"
        + " (FAST '20, Figure 6)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    Figure6.Outcome outcome = Figure6.run(setting.seed(), setting.storeFactor(), steps::done);
    List<Row> rows = outcome.rows().stream().map(QuiverFigure6::row).toList();
    return new Reproduction(
        "Quiver, FAST ’20, Figure 6",
        "Four jobs each of ResNet50, Inception and DeepSpeech2, each on four GPUs, share a"
            + " cache for a part of their three data sets (775 GB). The speed-up is the mean"
            + " over all jobs once the cache is warm, compared with no cache."
            + (setting.storeFactor() == 1
                ? ""
                : " The store is " + Figures.plain(setting.storeFactor()) + " times the paper's."),
        table(rows),
        List.of(
            "With all data in the cache the jobs would be "
                + Figures.ratio(outcome.bound())
                + " times as fast, which is the upper bound."),
        List.of(bars(rows), timeline(outcome)),
        rows,
        true);
  }

  private static Row row(Figure6.Row row) {
    @Nullable Double paper = row.paper().isPresent() ? row.paper().getAsDouble() : null;
    return new Row(
        row.cacheGigabytes(), row.planner(), Math.round(1000 * row.speedup()) / 1000.0, paper);
  }

  private static Table table(List<Row> rows) {
    Table table = new Table("cache", "planner", "speed-up", "published");
    for (Row row : rows) {
      table.row(
          row.cacheGb() + " GB",
          row.planner(),
          Figures.ratio(row.speedup()),
          row.paper() == null ? "–" : Figures.plain(row.paper()));
    }
    return table;
  }

  private static Reproduction.Picture bars(List<Row> rows) {
    List<BarPlot.Group> groups = new ArrayList<>();
    for (int size : rows.stream().map(Row::cacheGb).distinct().toList()) {
      List<BarPlot.Bar> bars = new ArrayList<>();
      for (Row row : rows) {
        if (row.cacheGb() == size) {
          bars.add(new BarPlot.Bar(style(row.planner()), row.planner(), row.speedup()));
          if (row.paper() != null && !row.planner().equals("none")) {
            bars.add(new BarPlot.Bar("published", row.planner() + ", published", row.paper()));
          }
        }
      }
      groups.add(new BarPlot.Group(size + " GB", bars));
    }
    return new Reproduction.Picture(
        "Speed-up once the cache is warm",
        "Compared with no cache; higher is better.",
        new BarPlot(
                "fig6",
                "Speed-up by cache size and planner",
                rows.stream()
                    .map(row -> row.planner() + " at " + row.cacheGb() + " GB " + row.speedup())
                    .collect(Collectors.joining(", ")),
                "cache size",
                "speed-up",
                groups)
            .svg(),
        Legend.boxes(KEY));
  }

  private static Reproduction.Picture timeline(Figure6.Outcome outcome) {
    int smallest = outcome.rows().stream().mapToInt(Figure6.Row::cacheGigabytes).min().orElse(0);
    List<Series> lines =
        outcome.rows().stream()
            .filter(row -> row.cacheGigabytes() == smallest && !row.timeline().isEmpty())
            .map(row ->
                new Series(
                    row.planner(),
                    lineStyle(row.planner()),
                    row.timeline().stream()
                        .map(point -> new Series.Point(point.seconds(), point.value()))
                        .toList()))
            .toList();
    double last =
        lines.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Series.Point::x)
            .max()
            .orElse(1);
    return new Reproduction.Picture(
        "From a cold cache of " + smallest + " GB",
        "Speed-up over time, while jobs are measured and the cache fills.",
        new LinePlot(
                "fig6-time",
                "Speed-up over time from a cold cache",
                "Ours rises above the paper's planner and LRU.",
                "seconds",
                "speed-up",
                260,
                last,
                lines)
            .svg(),
        Legend.lines(
            lines.stream().map(line -> new Legend.Entry(line.colour(), line.name())).toList()));
  }

  private static String style(String planner) {
    return planner.equals("marginal") ? "quiver" : planner;
  }

  private static String lineStyle(String planner) {
    return planner.equals("greedy3") ? "job3" : style(planner);
  }
}
