package io.quiver.cli.reproduce;

import io.quiver.cli.console.Table;
import io.quiver.cli.plot.Figures;
import io.quiver.cli.plot.KeyEntry;
import io.quiver.cli.plot.Keys;
import io.quiver.cli.plot.LinePlot;
import io.quiver.cli.plot.Series;
import io.quiver.cli.plot.SpanPlot;
import io.quiver.simulator.experiment.Figure7;
import io.quiver.simulator.result.Sample;
import io.quiver.simulator.result.Stay;
import java.util.List;

/** Quiver's Figure 7: which chunks are in the cache while four jobs, then seven, share it. */
final class QuiverFigure7 implements Experiment {
  private static final List<KeyEntry> KEY =
      List.of(new KeyEntry("pinned", "pinned"), new KeyEntry("active", "rotating"));

  /**
   * The document.
   *
   * @param mostRotating the most rotating chunks there were at a time
   * @param batchesPerSecondBefore progress of all jobs before the late ones join
   * @param batchesPerSecondAfter and after
   * @param joinSeconds when they join
   * @param stays which chunks were in the cache when
   * @param timeline progress over time
   */
  record Document(
      int mostRotating,
      double batchesPerSecondBefore,
      double batchesPerSecondAfter,
      double joinSeconds,
      List<Stay> stays,
      List<Sample> timeline) {}

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
    Figure7.Outcome outcome = Figure7.run(setting.seed());
    steps.done(1, 1);
    Document document =
        new Document(
            outcome.mostRotating(),
            outcome.batchesPerSecondBefore(),
            outcome.batchesPerSecondAfter(),
            Figure7.JOIN_SECONDS,
            outcome.stays(),
            outcome.timeline());
    return new Reproduction(
        "Quiver, FAST ’20, Figure 7",
        "Four jobs share a cache with room for a fifth of ImageNet; three more join after "
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
            "Late jobs begin with the chunks that are there. Pinned chunks are ours; the paper's"
                + " cache has rotating ones only."),
        List.of(residency(outcome), progress(outcome)),
        document,
        outcome.mostRotating() <= 2);
  }

  private static Reproduction.Picture residency(Figure7.Outcome outcome) {
    int rows = outcome.stays().stream().mapToInt(Stay::chunk).max().orElse(0) + 1;
    List<SpanPlot.Span> spans =
        outcome.stays().stream()
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
                "Pinned chunks stay; the others come in turn, two at a time.",
                "chunk",
                rows,
                last(outcome),
                spans)
            .svg(),
        Keys.boxes(KEY));
  }

  private static Reproduction.Picture progress(Figure7.Outcome outcome) {
    List<Series.Point> points =
        outcome.timeline().stream()
            .map(sample -> new Series.Point(sample.seconds(), sample.batches() / 1000.0))
            .toList();
    return new Reproduction.Picture(
        "Progress of all jobs together",
        "The line becomes steeper when three more jobs join.",
        new LinePlot(
                "progress",
                "Mini-batches of all jobs over time",
                "The line becomes steeper when three more jobs join.",
                "seconds",
                "thousand mini-batches",
                260,
                last(outcome),
                List.of(new Series("all jobs", "quiver", points)))
            .svg(),
        "");
  }

  private static double last(Figure7.Outcome outcome) {
    return outcome.timeline().getLast().seconds();
  }
}
