package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Series;
import io.quiver.simulator.shade.AccessStudy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** SHADE's Figures 2 and 3: how often samples are read, and how scores are distributed. */
final class ShadeAccesses implements Experiment {
  private static final int ITEMS = 20_000;
  private static final int BATCH = 128;

  /** Shares that even draws with replacement would have read more than once, and thrice. */
  private static final double CHANCE_TWICE = 1 - 2 / Math.E;

  private static final double CHANCE_THRICE = 1 - 2.5 / Math.E;

  private static final Map<Integer, Double> PUBLISHED_TWICE =
      Map.of(1, 0.265, 20, 0.266, 89, 0.262);
  private static final double PUBLISHED_THRICE = 0.096;
  private static final double PUBLISHED_IMPORTANT = 0.4991;

  private final boolean scores;

  /** Makes Figure 3 if it is to show scores, else Figure 2. */
  ShadeAccesses(boolean scores) {
    this.scores = scores;
  }

  @Override
  public String name() {
    return scores ? "shade-fig3" : "shade-fig2";
  }

  @Override
  public String summary() {
    return scores
        ? "the distribution of importance after 1, 20 and 89 epochs (FAST '23, Figure 3)"
        : "how often samples are read in epochs 1, 20 and 89 (FAST '23, Figure 2)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(AccessStudy.run(ITEMS, BATCH, setting.seed(), steps::done));
  }

  Reproduction told(List<AccessStudy.Row> rows) {
    Table table =
        new Table("epoch", "score", "read more than once", "3 times or more", "score > 30 %");
    rows.forEach(row ->
        table.row(
            "" + row.epoch(),
            row.sampling(),
            Figures.percent(row.twice()),
            Figures.percent(row.thrice()),
            Figures.percent(row.important())));
    List<PaperClaim> claims = scores ? scoreClaims(rows) : readClaims(rows);
    return new Reproduction(
        "SHADE, FAST ’23, Figure " + (scores ? 3 : 2),
        "A small model is trained for 90 epochs on generated samples, drawn with replacement in"
            + " proportion to their scores: the loss of the batch they were in, as in the paper's"
            + " figure, or the rank of their own loss in it.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        scores ? scoreObservations(rows) : readObservations(rows),
        scores ? histograms(rows) : List.of(reads(rows)),
        new PaperClaim.Document(rows, claims));
  }

  private static AccessStudy.Row row(List<AccessStudy.Row> rows, String sampling, int epoch) {
    return rows.stream()
        .filter(row -> row.sampling().equals(sampling) && row.epoch() == epoch)
        .findFirst()
        .orElseThrow();
  }

  private static List<Value> values(
      List<AccessStudy.Row> rows, int epoch, ToDoubleFunction<AccessStudy.Row> figure) {
    return rows.stream()
        .filter(row -> row.epoch() == epoch)
        .map(row -> new Value(row.sampling(), figure.applyAsDouble(row)))
        .toList();
  }

  private static List<PaperClaim> readClaims(List<AccessStudy.Row> rows) {
    List<PaperClaim> claims = new ArrayList<>();
    for (int epoch : List.of(1, 20, 89)) {
      claims.add(
          PaperClaim.of(
              "Share of the samples read more than once in epoch " + epoch,
              PUBLISHED_TWICE.getOrDefault(epoch, 0.0),
              values(rows, epoch, AccessStudy.Row::twice),
              ""));
    }
    claims.add(
        PaperClaim.of(
            "Share of the samples read 3 times or more in epoch 89",
            PUBLISHED_THRICE,
            values(rows, 89, AccessStudy.Row::thrice),
            ""));
    return claims;
  }

  private static List<Observation> readObservations(List<AccessStudy.Row> rows) {
    double twice = row(rows, "batch-losses", 89).twice();
    double thrice = row(rows, "batch-losses", 89).thrice();
    return List.of(
        new Observation(
            "Drawing evenly with replacement would read "
                + Figures.percent(CHANCE_TWICE)
                + " of the samples more than once and "
                + Figures.percent(CHANCE_THRICE)
                + " three times or more: the locality is that of replacement, not of importance ("
                + Figures.percent(twice)
                + " and "
                + Figures.percent(thrice)
                + " in epoch 89).",
            Math.abs(twice - CHANCE_TWICE) < 0.02 && Math.abs(thrice - CHANCE_THRICE) < 0.02));
  }

  private static List<PaperClaim> scoreClaims(List<AccessStudy.Row> rows) {
    AccessStudy.Row later = row(rows, "batch-losses", 20);
    return List.of(
        PaperClaim.of(
            "Share of the samples with more than 30 % of the largest score in epoch 20",
            PUBLISHED_IMPORTANT,
            values(rows, 20, AccessStudy.Row::important),
            "The largest score is the worst batch's of all that is remembered, so the share hangs"
                + " on how far batches differ: here the middle score is "
                + Figures.percent(middle(later))
                + " of the largest."));
  }

  /** Returns the share of the largest score that half of the samples are below. */
  private static double middle(AccessStudy.Row row) {
    double below = 0;
    int part = 0;
    while (part < AccessStudy.PARTS - 1 && below + row.scores().get(part) < 0.5) {
      below += row.scores().get(part++);
    }
    return (part + 0.5) / AccessStudy.PARTS;
  }

  private static List<Observation> scoreObservations(List<AccessStudy.Row> rows) {
    double first = row(rows, "batch-losses", 1).important();
    double later = row(rows, "batch-losses", 20).important();
    return List.of(
        new Observation(
            "In epoch 1 scores are at the lower end, later more samples are important: "
                + Figures.percent(first)
                + " of them have more than 30 % of the largest score, and "
                + Figures.percent(later)
                + " in epoch 20, as in the paper.",
            first < 0.3 && later > 2 * first));
  }

  private static Reproduction.Picture reads(List<AccessStudy.Row> rows) {
    List<BarPlot.Group> groups =
        IntStream.of(1, 20, 89)
            .mapToObj(epoch ->
                new BarPlot.Group(
                    "epoch " + epoch,
                    List.of(
                        percent("published", PUBLISHED_TWICE.getOrDefault(epoch, 0.0)),
                        percent("batch-losses", row(rows, "batch-losses", epoch).twice()),
                        percent("ranks", row(rows, "ranks", epoch).twice()),
                        percent("chance", CHANCE_TWICE))))
            .toList();
    return ShadePlots.bars(
        "fig2",
        "Samples read more than once",
        "Percent of all samples in an epoch; chance is drawing evenly with replacement.",
        "",
        "percent",
        groups);
  }

  private static BarPlot.Bar percent(String style, double share) {
    return new BarPlot.Bar(style, style, Math.round(1000 * share) / 10.0);
  }

  private static List<Reproduction.Picture> histograms(List<AccessStudy.Row> rows) {
    return List.of("batch-losses", "ranks").stream()
        .map(sampling ->
            ShadePlots.lines(
                "fig3-" + sampling,
                sampling.equals("ranks") ? "Scores by rank" : "Scores by the loss of the batch",
                "Percent of the samples by their score, in twentieths of the largest.",
                "score, percent of the largest",
                "percent of samples",
                rows.stream()
                    .filter(row -> row.sampling().equals(sampling))
                    .map(row -> line(row))
                    .toList()))
        .toList();
  }

  private static Series line(AccessStudy.Row row) {
    double part = 100.0 / AccessStudy.PARTS;
    return new Series(
        "epoch " + row.epoch(),
        "epoch" + row.epoch(),
        IntStream.range(0, AccessStudy.PARTS)
            .mapToObj(i -> new Series.Point(part * (i + 0.5), 100 * row.scores().get(i)))
            .toList());
  }
}
