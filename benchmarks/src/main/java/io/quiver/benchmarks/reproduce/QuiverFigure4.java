package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.SpanPlot;
import io.quiver.simulator.experiment.Figure4;
import io.quiver.simulator.experiment.Figure4.MiniBatch;
import io.quiver.simulator.experiment.Figure4.Source;
import java.util.ArrayList;
import java.util.List;

/** Quiver's Figures 4 and 5: twenty mini-batches on their way through I/O, CPUs and GPUs. */
final class QuiverFigure4 implements Experiment {
  private static final List<Legend.Entry> KEY =
      List.of(
          new Legend.Entry("io", "I/O"),
          new Legend.Entry("transform", "transform"),
          new Legend.Entry("gpu", "GPU"));

  /**
   * The document.
   *
   * @param source remote or hits
   * @param gpuBusy the part of the time in which the GPUs work
   * @param batchesPerSecond how fast the job is
   * @param untransformedPerSecond how fast it would be if its CPUs had nothing to do
   * @param miniBatches the stages of each mini-batch
   */
  record Document(
      String source,
      double gpuBusy,
      double batchesPerSecond,
      double untransformedPerSecond,
      List<Bar> miniBatches) {}

  /** A mini-batch, its stages in seconds since the first one's I/O began. */
  record Bar(
      int number,
      double ioStartS,
      double ioEndS,
      double transformStartS,
      double transformEndS,
      double gpuStartS,
      double gpuEndS) {}

  private final Source source;

  QuiverFigure4(Source source) {
    this.source = source;
  }

  @Override
  public String name() {
    return "quiver-" + (source == Source.REMOTE ? "fig4" : "fig5");
  }

  @Override
  public String summary() {
    return "I/O, transform and GPU of 20 mini-batches, "
        + (source == Source.REMOTE
            ? "remote I/O (FAST '20, Figure 4)"
            : "hits (FAST '20, Figure 5)");
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(Figure4.run(setting.seed(), source, steps::done));
  }

  static Reproduction told(Figure4.Outcome outcome) {
    boolean remote = outcome.source() == Source.REMOTE;
    List<Bar> bars = bars(outcome.batches());
    Table table = new Table("mini-batch", "I/O", "transform", "GPU");
    for (Bar bar : bars) {
      table.row(
          "" + bar.number,
          span(bar.ioStartS, bar.ioEndS),
          span(bar.transformStartS, bar.transformEndS),
          span(bar.gpuStartS, bar.gpuEndS));
    }
    return new Reproduction(
        "Quiver, FAST ’20, Figure " + (remote ? 4 : 5),
        "Twenty consecutive mini-batches of a ResNet50 job on four GPUs, read from the "
            + (remote ? "store." : "cache.")
            + " I/O begins when a mini-batch is asked for and ends when it is there; times are in"
            + " seconds.",
        table,
        List.of(
            "I/O takes "
                + Figures.ratio(outcome.mean(each -> each.ioEnd() - each.ioStart()))
                + " s of a mini-batch on average, transforming "
                + Figures.ratio(transform(outcome))
                + " s, the GPUs "
                + Figures.ratio(gpu(outcome))
                + " s. The paper gives no figures; the time of the transformation is assumed."),
        observations(outcome),
        List.of(picture(outcome, bars)),
        new Document(
            remote ? "remote" : "hits",
            outcome.gpuBusy(),
            outcome.batchesPerSecond(),
            outcome.untransformedPerSecond(),
            bars));
  }

  private static double transform(Figure4.Outcome outcome) {
    return outcome.mean(each -> each.transformEnd() - each.transformStart());
  }

  private static double gpu(Figure4.Outcome outcome) {
    return outcome.mean(each -> each.gpuEnd() - each.gpuStart());
  }

  private static String span(double from, double to) {
    return Figures.ratio(from) + " – " + Figures.ratio(to);
  }

  private static List<Bar> bars(List<MiniBatch> batches) {
    double zero = batches.stream().mapToDouble(MiniBatch::ioStart).min().orElse(0);
    List<Bar> bars = new ArrayList<>();
    for (MiniBatch each : batches) {
      bars.add(
          new Bar(
              bars.size() + 1,
              each.ioStart() - zero,
              each.ioEnd() - zero,
              each.transformStart() - zero,
              each.transformEnd() - zero,
              each.gpuStart() - zero,
              each.gpuEnd() - zero));
    }
    return bars;
  }

  private static List<Observation> observations(Figure4.Outcome outcome) {
    double busy = outcome.gpuBusy();
    double kept = outcome.batchesPerSecond() / outcome.untransformedPerSecond();
    Observation gpus =
        outcome.source() == Source.REMOTE
            ? new Observation(
                "As in the paper, the GPUs are idle most of the time ("
                    + Figures.percent(1 - busy)
                    + ").",
                busy < 0.5)
            : new Observation(
                "As in the paper, the GPUs are almost always busy (" + Figures.percent(busy) + ").",
                busy >= 0.95);
    return List.of(
        gpus,
        new Observation(
            "Transforming a mini-batch takes "
                + Figures.times(transform(outcome) / gpu(outcome))
                + " the time of the GPUs and does not hold the job up: it is "
                + Figures.ratio(kept)
                + " times as fast as without.",
            transform(outcome) > gpu(outcome) && kept >= 0.98));
  }

  private static Reproduction.Picture picture(Figure4.Outcome outcome, List<Bar> bars) {
    List<SpanPlot.Span> spans = new ArrayList<>();
    for (Bar bar : bars) {
      spans.add(new SpanPlot.Span(bar.number, "io", bar.ioStartS, bar.ioEndS));
      spans.add(new SpanPlot.Span(bar.number, "transform", bar.transformStartS, bar.transformEndS));
      spans.add(new SpanPlot.Span(bar.number, "gpu", bar.gpuStartS, bar.gpuEndS));
    }
    return new Reproduction.Picture(
        "Stages of the mini-batches",
        "Each row is a mini-batch. Between the GPUs' boxes of two rows they have nothing to do.",
        new SpanPlot(
                "pipeline",
                "I/O, transform and GPU of twenty mini-batches",
                "The GPUs are busy " + Figures.percent(outcome.gpuBusy()) + " of the time.",
                "mini-batch",
                bars.size() + 1,
                bars.stream().mapToDouble(Bar::gpuEndS).max().orElse(1),
                spans)
            .svg(),
        Legend.boxes(KEY));
  }
}
