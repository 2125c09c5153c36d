package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Series;
import io.quiver.simulator.experiment.Allocations;
import io.quiver.simulator.experiment.Figure6;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Quiver's Figure 6: a mix of jobs on 48 GPUs, and who decides what the cache holds. */
final class QuiverFigure6 implements Experiment {
  private static final List<Legend.Entry> KEY =
      List.of(
          new Legend.Entry("none", "no cache"),
          new Legend.Entry("lru", "shared LRU"),
          new Legend.Entry("paper-mode", "the paper's planner and loader"),
          new Legend.Entry("greedy3", "the paper's planner, our loader"),
          new Legend.Entry("quiver", "ours"),
          new Legend.Entry("published", "as published"));

  /** The data sets that are whole in the paper's cache of each size (§7.6). */
  private static final Map<Integer, List<String>> PUBLISHED_WHOLE =
      Map.of(100, List.of(), 200, List.of("imagenet"), 700, List.of("imagenet", "openimages"));

  /**
   * A row of the document.
   *
   * @param cacheGb how much the cache holds
   * @param planner none, lru, paper-mode, greedy3 or marginal
   * @param speedup how many times as fast as without a cache, on average over the jobs
   * @param halfBandwidthSpeedup the speed-up with half the store's bandwidth
   * @param paper what was published, null where nothing was
   * @param allocations what each data set has of the cache in the end
   * @param halfBandwidthAllocations that with half the store's bandwidth
   */
  record Row(
      int cacheGb,
      String planner,
      double speedup,
      double halfBandwidthSpeedup,
      @Nullable Double paper,
      List<Allocation> allocations,
      List<Allocation> halfBandwidthAllocations) {}

  /**
   * The part of the cache that a data set has.
   *
   * @param dataset its name
   * @param kind whole, part, window (chunks that rotate) or nothing
   * @param gb how much of it is held
   * @param datasetGb how long it is
   */
  record Allocation(String dataset, String kind, double gb, double datasetGb) {
    static List<Allocation> all(List<Allocations.Allocation> simulated) {
      return simulated.stream()
          .map(each ->
              new Allocation(
                  each.dataset(), each.kind(), tenths(each.bytes()), tenths(each.ofBytes())))
          .toList();
    }

    private static double tenths(long bytes) {
      return Math.round(bytes / 1e8) / 10.0;
    }

    String text() {
      return kind.equals("whole")
          ? dataset + " whole"
          : dataset + " " + kind + " " + Figures.plain(gb);
    }
  }

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
    Figure6.Outcome outcome =
        Figure6.run(
            setting.seed(), setting.storeFactor(), (done, all) -> steps.done(done, 2 * all));
    Figure6.Outcome half =
        Figure6.run(
            setting.seed(),
            setting.storeFactor() / 2,
            (done, all) -> steps.done(all + done, 2 * all));
    return told(outcome, half);
  }

  static Reproduction told(Figure6.Outcome outcome, Figure6.Outcome half) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < outcome.rows().size(); i++) {
      rows.add(row(outcome.rows().get(i), half.rows().get(i)));
    }
    double factor = outcome.storeBandwidthFactor();
    return new Reproduction(
        "Quiver, FAST ’20, Figure 6",
        "Four jobs each of ResNet50, Inception and DeepSpeech2, each on four GPUs, share a"
            + " cache for a part of their three data sets (775 GB). The speed-up is the mean"
            + " over all jobs once the cache is warm, compared with no cache."
            + (factor == 1 ? "" : " The store is " + Figures.plain(factor) + " times the paper's.")
            + " Half the store's bandwidth is where the planners differ most. In paper mode"
            + " jobs read as the paper's do, too.",
        table(rows),
        List.of(
            "With all data in the cache the jobs would be "
                + Figures.ratio(outcome.bound())
                + " times as fast, and "
                + Figures.ratio(half.bound())
                + " times with half the bandwidth: the upper bounds."),
        observations(rows, outcome),
        List.of(
            bars("fig6", "Speed-up once the cache is warm", rows, Row::speedup, true),
            bars(
                "fig6-half",
                "The same with half the store's bandwidth",
                rows,
                Row::halfBandwidthSpeedup,
                false),
            timeline("fig6-time", outcome),
            timeline("fig6-half-time", half)),
        rows);
  }

  private static Row row(Figure6.Row row, Figure6.Row half) {
    @Nullable Double paper = row.paper().isPresent() ? row.paper().getAsDouble() : null;
    return new Row(
        row.cacheGigabytes(),
        row.planner(),
        thousandths(row.speedup()),
        thousandths(half.speedup()),
        paper,
        Allocation.all(row.allocations()),
        Allocation.all(half.allocations()));
  }

  private static double thousandths(double value) {
    return Math.round(1000 * value) / 1000.0;
  }

  private static List<Observation> observations(List<Row> rows, Figure6.Outcome outcome) {
    List<Observation> all = new ArrayList<>();
    double bound = outcome.bound();
    if (outcome.storeBandwidthFactor() == 1) {
      rows.stream().filter(QuiverFigure6::isThePapers).map(QuiverFigure6::whole).forEach(all::add);
    }
    for (Row ours : rows) {
      if (!ours.planner().equals("marginal")) {
        continue;
      }
      all.add(
          new Observation(
              "With "
                  + ours.cacheGb()
                  + " GB our planner is within 1 % of everything cached ("
                  + Figures.ratio(ours.speedup())
                  + " of "
                  + Figures.ratio(bound)
                  + ").",
              ours.speedup() >= 0.99 * bound));
      all.add(ahead(ours, rows));
    }
    return all;
  }

  private static boolean isThePapers(Row row) {
    return row.planner().equals("greedy3") || row.planner().equals("paper-mode");
  }

  /** Observes that the data sets are whole in the cache that are in the paper (§7.6). */
  private static Observation whole(Row row) {
    List<String> whole =
        row.allocations().stream()
            .filter(each -> each.kind().equals("whole"))
            .map(Allocation::dataset)
            .toList();
    return new Observation(
        "With "
            + row.cacheGb()
            + " GB "
            + row.planner()
            + " holds all of "
            + (whole.isEmpty() ? "none" : String.join(" and ", whole))
            + ", as was published.",
        whole.equals(PUBLISHED_WHOLE.get(row.cacheGb())));
  }

  /** Observes that no other planner is better, by more than chance makes it, at half bandwidth. */
  private static Observation ahead(Row ours, List<Row> rows) {
    List<Row> others =
        rows.stream().filter(row -> row.cacheGb() == ours.cacheGb() && !row.equals(ours)).toList();
    return new Observation(
        "With "
            + ours.cacheGb()
            + " GB and half the bandwidth none is faster than ours ("
            + Figures.ratio(ours.halfBandwidthSpeedup())
            + "; "
            + others.stream()
                .map(row -> row.planner() + " " + Figures.ratio(row.halfBandwidthSpeedup()))
                .collect(Collectors.joining(", "))
            + ").",
        others.stream()
            .allMatch(row -> row.halfBandwidthSpeedup() <= 1.005 * ours.halfBandwidthSpeedup()));
  }

  private static Table table(List<Row> rows) {
    Table table =
        new Table(
            "cache",
            "planner",
            "speed-up",
            "half the bandwidth",
            "published",
            "GB of each data set");
    for (Row row : rows) {
      table.row(
          row.cacheGb() + " GB",
          row.planner(),
          Figures.ratio(row.speedup()),
          Figures.ratio(row.halfBandwidthSpeedup()),
          row.paper() == null ? "–" : Figures.plain(row.paper()),
          row.allocations().stream().map(Allocation::text).collect(Collectors.joining(", ")));
    }
    return table;
  }

  private static Reproduction.Picture bars(
      String id, String heading, List<Row> rows, ToDoubleFunction<Row> speedup, boolean published) {
    List<BarPlot.Group> groups = new ArrayList<>();
    for (int size : rows.stream().map(Row::cacheGb).distinct().toList()) {
      List<BarPlot.Bar> bars = new ArrayList<>();
      for (Row row : rows) {
        if (row.cacheGb() == size) {
          double value = speedup.applyAsDouble(row);
          bars.add(new BarPlot.Bar(style(row.planner()), row.planner(), value));
          // The paper's system is its planner and its loader.
          boolean whole = row.planner().equals("lru") || row.planner().equals("paper-mode");
          if (published && row.paper() != null && whole) {
            bars.add(new BarPlot.Bar("published", row.planner() + ", published", row.paper()));
          }
        }
      }
      groups.add(new BarPlot.Group(size + " GB", bars));
    }
    return new Reproduction.Picture(
        heading,
        "Compared with no cache; higher is better.",
        new BarPlot(
                id,
                "Speed-up by cache size and planner",
                rows.stream()
                    .map(row ->
                        row.planner()
                            + " at "
                            + row.cacheGb()
                            + " GB "
                            + Figures.ratio(speedup.applyAsDouble(row)))
                    .collect(Collectors.joining(", ")),
                "cache size",
                "speed-up",
                groups)
            .svg(),
        Legend.boxes(KEY));
  }

  private static Reproduction.Picture timeline(String id, Figure6.Outcome outcome) {
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
        "From a cold cache of "
            + smallest
            + " GB, "
            + Figures.plain(outcome.storeBandwidthFactor())
            + " times the paper's bandwidth",
        "Speed-up over time, while jobs are measured and the cache fills.",
        new LinePlot(
                id,
                "Speed-up over time from a cold cache",
                lines.stream()
                    .map(line ->
                        line.name() + " ends at " + Figures.ratio(line.points().getLast().y()))
                    .collect(Collectors.joining(", ")),
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
    return switch (planner) {
      case "greedy3" -> "job3";
      case "paper-mode" -> "job5";
      default -> style(planner);
    };
  }
}
