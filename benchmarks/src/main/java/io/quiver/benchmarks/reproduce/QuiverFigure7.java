package io.quiver.benchmarks.reproduce;

import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Series;
import io.quiver.report.plot.SpanPlot;
import io.quiver.simulator.experiment.Figure7;
import io.quiver.simulator.experiment.ProgressMeter;
import io.quiver.simulator.result.SimulationResult.ChunkResidency;
import java.util.List;
import java.util.stream.Collectors;

/** Quiver's Figure 7: which chunks are in the cache while four jobs, then seven, share it. */
final class QuiverFigure7 implements Experiment {
  private static final List<Legend.Entry> KEY =
      List.of(new Legend.Entry("pinned", "pinned"), new Legend.Entry("active", "rotating"));

  /**
   * The document.
   *
   * @param mostRotating the most rotating chunks there were at a time
   * @param batchesPerSecondBefore progress of all jobs before the late ones join
   * @param batchesPerSecondAfter and after
   * @param joinSeconds when they join
   * @param lateStarts where those that join begin
   * @param stays which chunks were in the cache when
   * @param progress mini-batches per second over time
   */
  record Document(
      int mostRotating,
      double batchesPerSecondBefore,
      double batchesPerSecondAfter,
      double joinSeconds,
      List<Figure7.LateStart> lateStarts,
      List<ChunkResidency> stays,
      List<ProgressMeter.Sample> progress) {}

  @Override
  public String name() {
    return "quiver-fig7";
  }

  @Override
  public String summary() {
    return "chunks in the cache over time, 4 jobs and then 7 (FAST '20, Figure 7)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    Figure7.Outcome outcome = Figure7.run(setting.seed(), steps::done);
    Document document =
        new Document(
            outcome.mostRotating(),
            outcome.batchesPerSecondBefore(),
            outcome.batchesPerSecondAfter(),
            Figure7.JOIN_SECONDS,
            outcome.lateStarts(),
            outcome.residencies(),
            outcome.progress());
    return new Reproduction(
        "Quiver, FAST ’20, Figure 7",
        "Four jobs share a cache for a fifth of ImageNet; three more join after "
            + Figures.plain(Figure7.JOIN_SECONDS)
            + " seconds.",
        new Table("what", "here", "the paper")
            .row("most rotating chunks at a time", "" + outcome.mostRotating(), "2")
            .row(
                "mini-batches per second before the three join",
                Figures.large(outcome.batchesPerSecondBefore()),
                "")
            .row(
                "mini-batches per second after",
                Figures.large(outcome.batchesPerSecondAfter()),
                "rises"),
        List.of(
            "As in the paper, two of ten chunks rotate and none is pinned.", lateStarts(outcome)),
        List.of(residency(outcome), progress(outcome)),
        document,
        outcome.mostRotating() <= 2);
  }

  private static String lateStarts(Figure7.Outcome outcome) {
    return outcome.lateStarts().stream()
        .map(start ->
            start.job()
                + " began with chunks "
                + start.firstChunks()
                + " of "
                + start.resident()
                + " that were there")
        .collect(Collectors.joining("; ", "Late jobs start at the active chunk: ", "."));
  }

  private static Reproduction.Picture residency(Figure7.Outcome outcome) {
    int rows = outcome.residencies().stream().mapToInt(ChunkResidency::chunk).max().orElse(0) + 1;
    List<SpanPlot.Span> spans =
        outcome.residencies().stream()
            .map(stay ->
                new SpanPlot.Span(
                    stay.chunk(),
                    stay.rotating() ? "active" : "pinned",
                    stay.fromSeconds(),
                    stay.toSeconds()))
            .toList();
    return new Reproduction.Picture(
        "Chunks in the cache",
        "Each row is a chunk of the data set. At no time are there more than two rotating ones.",
        new SpanPlot(
                "residency",
                "Chunks in the cache over time",
                "Pinned chunks stay; the others rotate, two at a time.",
                "chunk",
                rows,
                last(outcome),
                spans)
            .svg(),
        Legend.boxes(KEY));
  }

  private static Reproduction.Picture progress(Figure7.Outcome outcome) {
    List<Series.Point> points =
        outcome.progress().stream()
            .map(point -> new Series.Point(point.seconds(), point.value()))
            .toList();
    return new Reproduction.Picture(
        "Progress of all jobs together",
        "The line rises when three more jobs join.",
        new LinePlot(
                "progress",
                "Mini-batches per second of all jobs",
                "The line rises when three more jobs join.",
                "seconds",
                "mini-batches per second",
                260,
                last(outcome),
                List.of(new Series("all jobs", "quiver", points)))
            .svg(),
        "");
  }

  private static double last(Figure7.Outcome outcome) {
    return outcome.progress().getLast().seconds();
  }
}
