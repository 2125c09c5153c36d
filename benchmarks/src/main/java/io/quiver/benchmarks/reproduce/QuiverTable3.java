package io.quiver.benchmarks.reproduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.simulator.experiment.Table3;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Quiver's Table 3: seven jobs of one model with all misses, all hits, and a cold shared cache. */
final class QuiverTable3 implements Experiment {
  private static final List<Legend.Entry> KEY =
      List.of(
          new Legend.Entry("none", "all from the store"),
          new Legend.Entry("all-cached", "all from the cache"),
          new Legend.Entry("greedy3", "cold cache, the paper's way"),
          new Legend.Entry("quiver", "cold cache, ours"),
          new Legend.Entry("published", "cold cache, as published"));

  /**
   * A row of the document.
   *
   * @param workload the model
   * @param missSeconds all from the store
   * @param hitSeconds all from the cache
   * @param paperModeSeconds a cold cache, the paper's way
   * @param coopSeconds a cold cache, our way
   * @param paper what was published
   */
  record Row(
      String workload,
      @JsonProperty("miss_s") double missSeconds,
      @JsonProperty("hit_s") double hitSeconds,
      @JsonProperty("coop_paper_mode_s") double paperModeSeconds,
      @JsonProperty("coop_s") double coopSeconds,
      Published paper) {}

  /**
   * The published figures.
   *
   * @param missSeconds all from the store
   * @param hitSeconds all from the cache
   * @param coopSeconds a cold cache
   */
  record Published(
      @JsonProperty("miss_s") double missSeconds,
      @JsonProperty("hit_s") double hitSeconds,
      @JsonProperty("coop_s") double coopSeconds) {}

  @Override
  public String name() {
    return "quiver-table3";
  }

  @Override
  public String summary() {
    return "7 jobs of one model, 7000 mini-batches: all misses, all hits, a cold cache (FAST '20,"
        + " Table 3)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(Table3.run(setting.seed(), steps::done).stream().map(QuiverTable3::row).toList());
  }

  static Reproduction told(List<Row> rows) {
    return new Reproduction(
        "Quiver, FAST ’20, Table 3",
        "Seven jobs of one model, each on a machine of its own with four GPUs, work on 7000"
            + " mini-batches. Times in seconds, the published ones in brackets. Calibrated are bytes"
            + " and work of a mini-batch and what a machine gets from the store (172 MB/s), so that"
            + " the first two columns agree; the others follow from the mechanisms.",
        table(rows),
        List.of(
            "Paper mode is Algorithm 1 with chunks of at most 15 GB, two of them in the cache, brought"
                + " in by the misses of batches. The paper does not say who brings in the next chunk.",
            "Quiver here has a cache for a fifth of the data set, pinned chunks, claims and"
                + " preloading."),
        observations(rows),
        List.of(picture(rows)),
        rows);
  }

  private static List<Observation> observations(List<Row> rows) {
    List<Observation> all = new ArrayList<>();
    for (Row row : rows) {
      double miss = row.missSeconds() / row.paper().missSeconds();
      double hit = row.hitSeconds() / row.paper().hitSeconds();
      all.add(
          new Observation(
              row.workload()
                  + ": the calibrated columns are the published ones within 3 % ("
                  + Figures.ratio(miss)
                  + " and "
                  + Figures.ratio(hit)
                  + ").",
              Math.abs(miss - 1) <= 0.03 && Math.abs(hit - 1) <= 0.03));
      double ours = row.coopSeconds() / row.hitSeconds();
      all.add(
          new Observation(
              row.workload()
                  + ": our cold cache takes at most 1 % more time than all hits ("
                  + Figures.ratio(ours)
                  + " of it), paper mode "
                  + Figures.ratio(row.paperModeSeconds() / row.hitSeconds())
                  + ", as published "
                  + Figures.ratio(row.paper().coopSeconds() / row.paper().hitSeconds())
                  + ".",
              ours <= 1.01));
    }
    return all;
  }

  private static Row row(Table3.Row row) {
    return new Row(
        row.workload(),
        tenths(row.missSeconds()),
        tenths(row.hitSeconds()),
        tenths(row.coopPaperModeSeconds()),
        tenths(row.coopSeconds()),
        new Published(
            row.paper().missSeconds(), row.paper().hitSeconds(), row.paper().coopSeconds()));
  }

  private static double tenths(double value) {
    return Math.round(10 * value) / 10.0;
  }

  private static Table table(List<Row> rows) {
    Table table =
        new Table(
            "workload",
            "all misses",
            "all hits",
            "cold, paper mode",
            "cold, ours",
            "ours / all hits");
    for (Row row : rows) {
      table.row(
          row.workload(),
          beside(row.missSeconds(), row.paper().missSeconds()),
          beside(row.hitSeconds(), row.paper().hitSeconds()),
          beside(row.paperModeSeconds(), row.paper().coopSeconds()),
          Figures.plain(Math.rint(row.coopSeconds())),
          Figures.ratio(row.coopSeconds() / row.hitSeconds()));
    }
    return table;
  }

  private static String beside(double ours, double published) {
    return Figures.plain(Math.rint(ours)) + " (" + Figures.plain(published) + ")";
  }

  private static Reproduction.Picture picture(List<Row> rows) {
    List<BarPlot.Group> groups =
        rows.stream()
            .map(row ->
                new BarPlot.Group(
                    row.workload(),
                    List.of(
                        new BarPlot.Bar("none", "all misses", Math.rint(row.missSeconds())),
                        new BarPlot.Bar("all-cached", "all hits", Math.rint(row.hitSeconds())),
                        new BarPlot.Bar("published", "cold, published", row.paper().coopSeconds()),
                        new BarPlot.Bar(
                            "greedy3", "cold, paper mode", Math.rint(row.paperModeSeconds())),
                        new BarPlot.Bar("quiver", "cold, ours", Math.rint(row.coopSeconds())))))
            .toList();
    return new Reproduction.Picture(
        "Time for 7000 mini-batches",
        "Seconds; lower is better. The closer to the grey bar, the less the cold cache matters.",
        new BarPlot(
                "table3",
                "Time for 7000 mini-batches of each model",
                rows.stream()
                    .map(row ->
                        row.workload()
                            + ": all hits "
                            + Figures.plain(Math.rint(row.hitSeconds()))
                            + ", our cold cache "
                            + Figures.plain(Math.rint(row.coopSeconds())))
                    .collect(Collectors.joining("; ")),
                "model",
                "seconds",
                groups)
            .svg(),
        Legend.boxes(KEY));
  }
}
