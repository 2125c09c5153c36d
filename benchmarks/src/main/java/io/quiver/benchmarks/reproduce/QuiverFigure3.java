package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Series;
import io.quiver.simulator.experiment.Figure3;
import io.quiver.simulator.experiment.ProgressMeter;
import java.util.List;
import java.util.Locale;

/** Quiver's Figure 3: how far the jobs of a model are at what time. */
final class QuiverFigure3 implements Experiment {
  private static final double THOUSAND = 1000;
  private static final List<Legend.Entry> KEY =
      List.of(
          new Legend.Entry("none", "all from the store"),
          new Legend.Entry("all-cached", "all from the cache"),
          new Legend.Entry("lru", "cold cache, the paper's way"),
          new Legend.Entry("quiver", "cold cache, ours"));

  @Override
  public String name() {
    return "quiver-fig3";
  }

  @Override
  public String summary() {
    return "progress of 7 jobs over time: misses, hits, a cold cache (FAST '20, Figure 3)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(Figure3.run(setting.seed(), steps::done));
  }

  static Reproduction told(List<Figure3.Panel> panels) {
    Table table = new Table("workload", "all misses", "all hits", "cold, paper mode", "cold, ours");
    for (Figure3.Panel panel : panels) {
      table.row(
          panel.workload(),
          Figures.seconds(end(panel.miss())),
          Figures.seconds(end(panel.hit())),
          Figures.seconds(end(panel.coopPaperMode())),
          Figures.seconds(end(panel.coop())));
    }
    return new Reproduction(
        "Quiver, FAST ’20, Figure 3",
        "Seven jobs of one model, each on four GPUs with 7000 mini-batches. The plots show"
            + " a job's progress over time; the table shows the time at which the last job ended.",
        table,
        List.of("In the paper the curve of a cold cache lies between those of hits and misses."),
        panels.stream().map(QuiverFigure3::observation).toList(),
        panels.stream().map(QuiverFigure3::picture).toList(),
        panels);
  }

  private static Observation observation(Figure3.Panel panel) {
    double times = end(panel.coop()) / end(panel.hit());
    return new Observation(
        panel.workload()
            + ": the last job ends within 5 % of the time of hits with our cold cache (at "
            + Figures.ratio(times)
            + " of it).",
        times <= 1.05);
  }

  private static double end(List<ProgressMeter.Sample> curve) {
    return curve.isEmpty() ? 0 : curve.getLast().seconds();
  }

  private static Reproduction.Picture picture(Figure3.Panel panel) {
    return new Reproduction.Picture(
        panel.workload(),
        "The steeper, the faster.",
        new LinePlot(
                "fig3-" + panel.workload().toLowerCase(Locale.ROOT),
                panel.workload() + ": progress of a job",
                "Thousands of mini-batches of a job over time.",
                "seconds",
                "thousand mini-batches",
                240,
                end(panel.miss()),
                List.of(
                    line("all from the store", "none", panel.miss()),
                    line("cold cache, the paper's way", "lru", panel.coopPaperMode()),
                    line("cold cache, ours", "quiver", panel.coop()),
                    line("all from the cache", "all-cached", panel.hit())))
            .svg(),
        Legend.lines(KEY));
  }

  private static Series line(String name, String colour, List<ProgressMeter.Sample> curve) {
    return new Series(
        name,
        colour,
        curve.stream()
            .map(point -> new Series.Point(point.seconds(), point.value() / THOUSAND))
            .toList());
  }
}
