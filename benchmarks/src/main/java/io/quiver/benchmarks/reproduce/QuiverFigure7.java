package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.Reproduction.Observation;
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
   * @param chunks into how many chunks the data set is divided
   * @param mostRotating the most rotating chunks there were at a time
   * @param batchesPerSecondBefore progress of all jobs before the late ones join
   * @param batchesPerSecondAfter and after
   * @param perJobGain how many times as fast an early job is after the others joined
   * @param halfBandwidthPerJobGain the gain with half the store's bandwidth
   * @param joinSeconds when they join
   * @param lateStarts where those that join begin
   * @param stays which chunks were in the cache when
   * @param progress mini-batches per second over time
   */
  record Document(
      int chunks,
      int mostRotating,
      double batchesPerSecondBefore,
      double batchesPerSecondAfter,
      double perJobGain,
      double halfBandwidthPerJobGain,
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
    Figure7.Outcome outcome = Figure7.run(setting.seed(), 1, (done, all) -> steps.done(1, 2));
    Figure7.Outcome half = Figure7.run(setting.seed(), 0.5, (done, all) -> steps.done(2, 2));
    return told(outcome, half);
  }

  static Reproduction told(Figure7.Outcome outcome, Figure7.Outcome half) {
    Document document =
        new Document(
            outcome.chunks(),
            outcome.mostRotating(),
            outcome.batchesPerSecondBefore(),
            outcome.batchesPerSecondAfter(),
            gain(outcome),
            gain(half),
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
                "rises")
            .row("gain of an early job", Figures.ratio(gain(outcome)), "improves")
            .row("gain of an early job, half the bandwidth", Figures.ratio(gain(half)), ""),
        List.of(
            "Jobs share the reads from the store. A job gains from others that join where the store"
                + " limits four jobs and not seven: that is so with half the bandwidth here."),
        observations(outcome, half),
        List.of(residency(outcome), progress("progress", outcome), progress("half", half)),
        document);
  }

  private static double gain(Figure7.Outcome outcome) {
    return outcome.earlyJobAfter() / outcome.earlyJobBefore();
  }

  private static List<Observation> observations(Figure7.Outcome outcome, Figure7.Outcome half) {
    boolean pinned = outcome.residencies().stream().anyMatch(stay -> !stay.rotating());
    return List.of(
        new Observation(
            "As in the paper, two chunks rotate ("
                + outcome.mostRotating()
                + " of "
                + outcome.chunks()
                + ") and "
                + (pinned ? "some are pinned." : "none is pinned."),
            outcome.mostRotating() == 2 && !pinned),
        new Observation(
            lateStarts(outcome),
            !outcome.lateStarts().isEmpty()
                && outcome.lateStarts().stream()
                    .allMatch(start -> start.resident().containsAll(start.firstChunks()))),
        new Observation(
            "Progress of all jobs rises when three more join, from "
                + rates(outcome)
                + " mini-batches a second; with half the bandwidth from "
                + rates(half)
                + ".",
            rises(outcome) && rises(half)),
        new Observation(
            "With half the bandwidth each early job gains ("
                + Figures.ratio(gain(half))
                + " times as fast).",
            gain(half) > 1.05));
  }

  private static boolean rises(Figure7.Outcome outcome) {
    return outcome.batchesPerSecondAfter() > outcome.batchesPerSecondBefore();
  }

  private static String rates(Figure7.Outcome outcome) {
    return Figures.large(outcome.batchesPerSecondBefore())
        + " to "
        + Figures.large(outcome.batchesPerSecondAfter());
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
        "Each row is a chunk of the data set. At no time are there more than "
            + outcome.mostRotating()
            + " rotating ones.",
        new SpanPlot(
                "residency",
                "Chunks in the cache over time",
                outcome.mostRotating() + " of " + outcome.chunks() + " chunks rotate at a time.",
                "chunk",
                rows,
                last(outcome),
                spans)
            .svg(),
        Legend.boxes(KEY));
  }

  private static Reproduction.Picture progress(String id, Figure7.Outcome outcome) {
    List<Series.Point> points =
        outcome.progress().stream()
            .map(point -> new Series.Point(point.seconds(), point.value()))
            .toList();
    return new Reproduction.Picture(
        "Progress of all jobs together, "
            + Figures.plain(outcome.storeBandwidthFactor())
            + " times the paper's bandwidth",
        "Three more jobs join after " + Figures.plain(Figure7.JOIN_SECONDS) + " seconds.",
        new LinePlot(
                id,
                "Mini-batches per second of all jobs",
                "From " + rates(outcome) + " mini-batches a second.",
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
