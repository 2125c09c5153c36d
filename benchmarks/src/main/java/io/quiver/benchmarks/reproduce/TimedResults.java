package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Series;
import io.quiver.simulator.shade.TimedStudy;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The results of trainings with a slow store, and what follows from them for each figure. */
record TimedResults(List<TimedStudy.Row> all) {
  private static final List<String> VARIANTS =
      List.of("shade-paper", "shade-published", "shade", "shade-repeat");

  /** Seconds below which load times are called equal: all of them may be hits. */
  private static final double LEAST_DEVIATION = 0.0001;

  private TimedStudy.Row row(String policy, double fraction) {
    return all.stream()
        .filter(row -> row.policy().equals(policy) && row.cacheFraction() == fraction)
        .findFirst()
        .orElseThrow();
  }

  Table table() {
    Table table =
        new Table(
            "cached",
            "policy",
            "hits",
            "coverage",
            "samples/s",
            "load, ms",
            "± ms",
            "converged",
            "accuracy");
    for (TimedStudy.Row row : all) {
      table.row(
          Figures.percent(row.cacheFraction()),
          row.policy(),
          Figures.ratio(row.hitRatio()),
          Figures.ratio(row.coverage()),
          Figures.count(Math.round(row.samplesPerSecond())),
          String.format(Locale.ROOT, "%.1f", 1000 * row.loadSeconds()),
          String.format(Locale.ROOT, "%.1f", 1000 * row.loadDeviation()),
          Double.isFinite(row.convergedSeconds())
              ? Figures.seconds(row.convergedSeconds())
              : "never",
          Figures.percent(row.finalAccuracy()));
    }
    return table;
  }

  /** Compares a figure of a policy with that of another; more is better for all but rates. */
  private PaperClaim claim(
      String claim,
      double paper,
      ToDoubleFunction<TimedStudy.Row> figure,
      TimedStudy.Row base,
      double fraction) {
    TimedStudy.Row published = row("shade-published", fraction);
    return PaperClaim.of(
        claim,
        paper,
        VARIANTS.stream()
            .map(policy -> row(policy, fraction))
            .map(row ->
                new Value(row.policy(), figure.applyAsDouble(row) / figure.applyAsDouble(base)))
            .toList(),
        reason(published, base, claim));
  }

  /** Returns the parts of a speed-up: samples come faster, and the model needs more or fewer. */
  private static String reason(TimedStudy.Row ours, TimedStudy.Row base, String claim) {
    double faster = ours.samplesPerSecond() / base.samplesPerSecond();
    double needed = faster * ours.convergedSeconds() / base.convergedSeconds();
    return "The authors' repetition hits %s where %s hits %s, so samples come %s as fast"
            .formatted(
                Figures.ratio(ours.hitRatio()),
                base.policy(),
                Figures.ratio(base.hitRatio()),
                Figures.times(faster))
        + (claim.startsWith("Load") || claim.startsWith("Deviation")
            ? "."
            : claim.startsWith("Samples")
                ? "; the GPU cannot take more than "
                    + ShadeTimes.rate(TimedStudy.sampleSeconds().get(0))
                    + "/s."
                : Double.isFinite(needed)
                    ? ", and the model needs " + Figures.times(needed) + " as many."
                    : ", but the model never converges.");
  }

  /** Returns how fast a model converges; not a number if it never does. */
  private static double speed(TimedStudy.Row row) {
    double seconds = row.convergedSeconds();
    return Double.isFinite(seconds) ? 1 / seconds : Double.NaN;
  }

  private static double loadSpeed(TimedStudy.Row row) {
    return 1 / row.loadSeconds();
  }

  List<PaperClaim> claims8() {
    return List.of(
        claim(
            "Convergence at 10 %, times as fast as LRU's",
            3, TimedResults::speed, row("lru", 0.1), 0.1),
        claim(
            "Convergence at 75 %, times as fast as LRU's",
            3.3, TimedResults::speed, row("lru", 0.75), 0.75));
  }

  List<PaperClaim> claims9() {
    ToDoubleFunction<TimedStudy.Row> rate = TimedStudy.Row::samplesPerSecond;
    return List.of(
        claim("Samples per second at 10 %, times LRU's", 2.3, rate, row("lru", 0.1), 0.1),
        claim("Samples per second at 75 %, times LRU's", 2.7, rate, row("lru", 0.75), 0.75),
        claim("Samples per second at 50 %, times LRU's at 75 %", 1.14, rate, row("lru", 0.75), 0.5),
        claim("Samples per second at 10 %, times LRU's at 75 %", 1, rate, row("lru", 0.75), 0.1));
  }

  List<PaperClaim> claims10() {
    return List.of(
        claim(
            "Load time of LRU at 50 %, times SHADE's at 50 %",
            2.5, TimedResults::loadSpeed, row("lru", 0.5), 0.5),
        claim(
            "Load time of LRU at 75 %, times SHADE's at 50 %",
            1.7, TimedResults::loadSpeed, row("lru", 0.75), 0.5),
        claim(
            "Deviation of the load time of LRU at 75 %, times SHADE's",
            3.9,
            row -> 1 / Math.max(row.loadDeviation(), LEAST_DEVIATION),
            row("lru", 0.75),
            0.75));
  }

  List<PaperClaim> claims11() {
    ToDoubleFunction<TimedStudy.Row> rate = TimedStudy.Row::samplesPerSecond;
    return List.of(
        claim(
            "Convergence at 75 %, times as fast as NoPFS",
            4.5, TimedResults::speed, row("nopfs", 0.75), 0.75),
        claim(
            "Convergence at 50 %, times as fast as NoPFS",
            2.4, TimedResults::speed, row("nopfs", 0.5), 0.5),
        claim("Samples per second at 75 %, times NoPFS's", 2.2, rate, row("nopfs", 0.75), 0.75),
        claim("Samples per second at 50 %, times NoPFS's", 1.6, rate, row("nopfs", 0.5), 0.5));
  }

  private Observation faster(
      String policy, double fraction, String base, double bound, boolean converged) {
    ToDoubleFunction<TimedStudy.Row> figure =
        converged ? TimedResults::speed : TimedStudy.Row::samplesPerSecond;
    double times =
        figure.applyAsDouble(row(policy, fraction)) / figure.applyAsDouble(row(base, fraction));
    return new Observation(
        "At %s %s %s at least %s as fast as %s (%s)."
            .formatted(
                Figures.percent(fraction),
                policy,
                converged ? "converges" : "reads",
                Figures.times(bound),
                base,
                Figures.times(times)),
        times >= bound);
  }

  List<Observation> observations8() {
    double shuffled = row("lru", 0.1).finalAccuracy();
    double ours = row("shade", 0.1).finalAccuracy();
    double repeated = row("shade-repeat", 0.1).finalAccuracy();
    return List.of(
        faster("shade", 0.1, "lru", 1.2, true),
        faster("shade-repeat", 0.1, "lru", 1.2, true),
        faster("shade", 0.75, "lru", 1.2, true),
        new Observation(
            "In the end shade and shade-repeat are within a point of shuffles ("
                + Figures.percent(ours)
                + " and "
                + Figures.percent(repeated)
                + " instead of "
                + Figures.percent(shuffled)
                + ").",
            Math.min(ours, repeated) >= shuffled - TimedStudy.CONVERGED));
  }

  List<Observation> observations9() {
    return List.of(
        faster("shade", 0.1, "lru", 1.7, false),
        faster("shade-repeat", 0.1, "lru", 2.3, false),
        faster("shade", 0.75, "lru", 2.7, false));
  }

  List<Observation> observations10() {
    return List.of(even(0.5), even(0.75));
  }

  private Observation even(double fraction) {
    double ours = row("shade", fraction).loadDeviation();
    double lru = row("lru", fraction).loadDeviation();
    return new Observation(
        "At %s the load time of shade varies less than LRU's, whose hits all come in the first"
                .formatted(Figures.percent(fraction))
            + " part of an epoch (%.1f ms instead of %.1f).".formatted(1000 * ours, 1000 * lru),
        ours < lru);
  }

  /** Returns where the deviation is greater than LRU's. */
  List<String> notes10() {
    return TimedStudy.FRACTIONS.stream()
        .map(fraction -> List.of(row("shade", fraction), row("lru", fraction)))
        .filter(pair -> pair.get(0).loadDeviation() > pair.get(1).loadDeviation())
        .map(pair ->
            "At %s the load time of shade varies more than LRU's (%.1f ms instead of %.1f): LRU hits"
                    .formatted(
                        Figures.percent(pair.get(0).cacheFraction()),
                        1000 * pair.get(0).loadDeviation(),
                        1000 * pair.get(1).loadDeviation())
                + " %s of the reads, so that nearly all batches take equally long."
                    .formatted(Figures.ratio(pair.get(1).hitRatio())))
        .toList();
  }

  List<Observation> observations11() {
    return List.of(
        faster("shade", 0.5, "nopfs", 1.5, false),
        faster("shade", 0.5, "nopfs", 1.2, true),
        faster("shade", 0.75, "nopfs", 1.2, true));
  }

  List<Reproduction.Picture> pictures(int figure) {
    return switch (figure) {
      case 8 -> List.of(curves(8, 0.1, "lru"), curves(8, 0.75, "lru"));
      case 9 -> List.of(rates(9));
      case 10 ->
          List.of(
              bars(
                  "fig10",
                  "Mean load time of a batch",
                  "milliseconds",
                  row -> 1000 * row.loadSeconds()),
              bars(
                  "fig10-deviation",
                  "Standard deviation of the load time within an epoch",
                  "milliseconds",
                  row -> 1000 * row.loadDeviation()));
      default -> List.of(curves(11, 0.5, "nopfs"), curves(11, 0.75, "nopfs"), rates(11));
    };
  }

  private Reproduction.Picture rates(int figure) {
    return bars(
        "fig" + figure + "-rates",
        "Thousands of samples learned in a second",
        "thousand samples/s",
        row -> row.samplesPerSecond() / 1000);
  }

  private Reproduction.Picture bars(
      String id, String heading, String unit, ToDoubleFunction<TimedStudy.Row> figure) {
    List<BarPlot.Group> groups =
        TimedStudy.FRACTIONS.stream()
            .map(fraction ->
                new BarPlot.Group(
                    Figures.plain(100 * fraction) + " % cached",
                    all.stream()
                        .filter(row -> row.cacheFraction() == fraction)
                        .map(row -> ShadePlots.bar(row.policy(), figure.applyAsDouble(row)))
                        .toList()))
            .toList();
    return ShadePlots.bars(id, heading, "After the first epoch.", "", unit, groups);
  }

  private Reproduction.Picture curves(int figure, double fraction, String base) {
    List<Series> lines =
        all.stream()
            .filter(row -> row.cacheFraction() == fraction)
            .filter(row -> row.policy().equals(base) || VARIANTS.contains(row.policy()))
            .map(row ->
                new Series(
                    row.policy(),
                    row.policy(),
                    row.curve().stream()
                        .map(point ->
                            new Series.Point(point.seconds(), 100 - 100 * point.accuracy()))
                        .toList()))
            .toList();
    return ShadePlots.lines(
        "fig%d-%.0f".formatted(figure, 100 * fraction),
        "Errors over time, " + Figures.plain(100 * fraction) + " % cached",
        "Percent of test samples that are told wrong, in one training; the lower, the better.",
        "seconds",
        "percent wrong",
        lines);
  }
}
