package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Series;
import io.quiver.simulator.shade.ShadeStudy;
import java.util.ArrayList;
import java.util.List;

/** SHADE's Figures 5, 7 and 12: hit ratios, with the coverage that pays for them. */
final class ShadeHits implements Experiment {
  private static final int ITEMS = 50_000;
  private static final int EPOCHS = 10;
  private static final int BATCH = 128;

  private static final List<String> VARIANTS =
      List.of("shade-paper", "shade-published", "shade", "shade-repeat");
  private static final List<String> OTHERS =
      List.of("sh_pqlfu", "sh_pq", "sh_lru", "sh_lfu", "sh_rand");

  /** The policies of Figure 7 that have a line; the others lie on top of them. */
  private static final List<String> DRAWN =
      List.of(
          "lru",
          "minio",
          "lru-same-draws",
          "sh_app",
          "min",
          "shade-paper",
          "shade-published",
          "shade",
          "shade-repeat");

  private final int figure;
  private final List<String> shown;

  private ShadeHits(int figure, List<String> shown) {
    this.figure = figure;
    this.shown = shown;
  }

  /** Figure 5: caches that know nothing of importance, under importance sampling. */
  static ShadeHits figure5() {
    return new ShadeHits(5, List.of("sh_lru", "sh_lfu", "sh_pq", "sh_min"));
  }

  /** Figure 7: every policy. */
  static ShadeHits figure7() {
    return new ShadeHits(7, List.of());
  }

  /** Figure 12: SHADE, CoorDL and Quiver with a cache for a fifth of the data. */
  static ShadeHits figure12() {
    return new ShadeHits(
        12,
        List.of(
            "minio",
            "quiver-emulated",
            "nopfs",
            "shade-paper",
            "shade-published",
            "shade",
            "shade-repeat"));
  }

  @Override
  public String name() {
    return "shade-fig" + figure;
  }

  @Override
  public String summary() {
    String what =
        switch (figure) {
          case 5 -> "hit ratios of LRU, LFU, a priority queue and MIN by importance sampling";
          case 7 -> "hit ratios of all policies, 10 to 75 % of the data cached";
          default -> "hit ratios of SHADE, CoorDL and Quiver, 20 % of the data cached";
        };
    return what + " (FAST '23, Figure " + figure + ")";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(new ShadeStudy(ITEMS, EPOCHS, BATCH, setting.seed()).run(steps::done));
  }

  Reproduction told(List<ShadeStudy.Row> all) {
    Rows rows = new Rows(all);
    List<String> policies =
        shown.isEmpty() ? all.stream().map(ShadeStudy.Row::policy).distinct().toList() : shown;
    Table table = new Table("policy", "10 %", "20 %", "50 %", "75 %", "coverage");
    for (String policy : policies) {
      table.row(
          policy,
          Figures.ratio(rows.hits(policy, 0.1)),
          Figures.ratio(rows.hits(policy, 0.2)),
          Figures.ratio(rows.hits(policy, 0.5)),
          Figures.ratio(rows.hits(policy, 0.75)),
          rows.coverage(policy));
    }
    List<PaperClaim> claims =
        switch (figure) {
          case 5 -> rows.claims5();
          case 7 -> rows.claims7();
          default -> rows.claims12();
        };
    List<Observation> observations = new ArrayList<>();
    observations.add(rows.law());
    observations.addAll(
        switch (figure) {
          case 5 -> rows.observations5();
          case 7 -> rows.observations7();
          default -> rows.observations12();
        });
    return new Reproduction(
        "SHADE, FAST ’23, Figure " + figure,
        "A small model is trained for ten epochs, each policy drawing samples its own way, and what"
            + " it reads passes through caches for 10, 20, 50 and 75 % of the data. Every first read"
            + " is a miss. Coverage is the share of different samples in an epoch.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        observations,
        List.of(
            figure == 12
                ? rows.bars(policies)
                : rows.lines("fig" + figure, shown.isEmpty() ? DRAWN : shown)),
        new PaperClaim.Document(
            all.stream().filter(row -> policies.contains(row.policy())).toList(), claims));
  }

  /** The results and what follows from them. */
  private record Rows(List<ShadeStudy.Row> all) {
    private ShadeStudy.Row row(String policy, double fraction) {
      return all.stream()
          .filter(row -> row.policy().equals(policy) && row.cacheFraction() == fraction)
          .findFirst()
          .orElseThrow();
    }

    double hits(String policy, double fraction) {
      return row(policy, fraction).hitRatio();
    }

    String coverage(String policy) {
      double least = row(policy, 0.1).coverage();
      double most = least;
      for (ShadeStudy.Row row : all) {
        if (row.policy().equals(policy)) {
          least = Math.min(least, row.coverage());
          most = Math.max(most, row.coverage());
        }
      }
      String one = Figures.ratio(least);
      return most - least < 0.0005 ? one : one + " to " + Figures.ratio(most);
    }

    private List<Value> times(List<String> policies, String base, double fraction) {
      return policies.stream()
          .map(policy -> new Value(policy, hits(policy, fraction) / hits(base, fraction)))
          .toList();
    }

    /** Observes that nobody has more hits than arithmetic allows. */
    Observation law() {
      double closest =
          all.stream()
              .mapToDouble(row -> 1 - (row.coverage() - row.cacheFraction()) - row.hitRatio())
              .min()
              .orElse(0);
      return new Observation(
          "No policy hits more than 1 − (coverage − cached share) of the reads; the closest is "
              + Figures.ratio(closest)
              + " below.",
          closest >= 0);
    }

    List<PaperClaim> claims5() {
      return List.of(
          PaperClaim.of(
              "Hit ratios of a priority queue and LFU at 10 %, as multiples of LRU's",
              1, times(List.of("sh_pq", "sh_lfu"), "sh_lru", 0.1), ""),
          PaperClaim.of(
              "Hit ratios of a priority queue and LFU at 50 %, as multiples of LRU's",
              1, times(List.of("sh_pq", "sh_lfu"), "sh_lru", 0.5), ""));
    }

    List<Observation> observations5() {
      double times = hits("sh_min", 0.1) / hits("sh_lru", 0.1);
      return List.of(
          new Observation(
              "MIN is far above all of them at 10 %, "
                  + Figures.times(times)
                  + " LRU, because draws with replacement repeat samples: a cache that knew the"
                  + " next draws could use it.",
              times > 2));
    }

    List<PaperClaim> claims7() {
      String shuffles =
          "On shuffles LRU hits c + (1 − c) ln(1 − c), "
              + Figures.percent(hits("lru", 0.1))
              + " here, of which 4.5 times would be "
              + Figures.percent(4.5 * hits("lru", 0.1))
              + "; so the multiple is of LRU on the same draws. ";
      return List.of(
          PaperClaim.of(
              "Hit ratio at 10 %, as a multiple of LRU's",
              4.5, times(VARIANTS, "lru-same-draws", 0.1), shuffles),
          PaperClaim.of(
              "APP without fine-grained scores at 10 %, as a multiple of LRU's",
              2.67,
              times(List.of("sh_app"), "lru-same-draws", 0.1),
              shuffles
                  + "Scores of batches tell samples apart by little: they hit "
                  + Figures.ratio(hits("sh_app", 0.1))
                  + "."),
          PaperClaim.of(
              "The other variants at 10 %, as a multiple of LRU's",
              1.94,
              times(OTHERS, "lru-same-draws", 0.1),
              "LRU hits "
                  + Figures.ratio(hits("lru-same-draws", 0.1))
                  + " where samples are drawn by ranks, and "
                  + Figures.ratio(hits("sh_lru", 0.1))
                  + " where they are drawn by the losses of batches, which leaves little to keep."));
    }

    List<Observation> observations7() {
      return List.of(
          least("shade", 0.1, 0.43),
          least("shade", 0.2, 0.54),
          new Observation(
              "Without repetition shade reads "
                  + Figures.percent(row("shade", 0.1).coverage())
                  + " of the samples in an epoch, at least 60 %.",
              row("shade", 0.1).coverage() >= 0.6),
          new Observation(
              "MIN is no bound for who changes the draws: the authors' repetition hits "
                  + Figures.ratio(hits("shade-published", 0.5))
                  + " at 50 % and "
                  + Figures.ratio(hits("shade-published", 0.75))
                  + " at 75 %, MIN on the paper's draws "
                  + Figures.ratio(hits("min", 0.5))
                  + " and "
                  + Figures.ratio(hits("min", 0.75))
                  + ", as in the paper.",
              hits("shade-published", 0.5) > hits("min", 0.5)
                  && hits("shade-published", 0.75) > hits("min", 0.75)),
          new Observation(
              "Listing cached samples three times, as the authors' program does, turns "
                  + Figures.ratio(hits("shade-paper", 0.1))
                  + " of the paper's equations into "
                  + Figures.ratio(hits("shade-published", 0.1))
                  + " at 10 %, and "
                  + Figures.ratio(hits("shade-paper", 0.2))
                  + " into "
                  + Figures.ratio(hits("shade-published", 0.2))
                  + " at 20 %: repetition is most of the published hit ratio.",
              hits("shade-published", 0.1) > 2 * hits("shade-paper", 0.1)
                  && hits("shade-published", 0.2) > 2 * hits("shade-paper", 0.2)));
    }

    private Observation least(String policy, double fraction, double bound) {
      return new Observation(
          "%s hits at least %s at %s (%s)."
              .formatted(
                  policy,
                  Figures.ratio(bound),
                  Figures.percent(fraction),
                  Figures.ratio(hits(policy, fraction))),
          hits(policy, fraction) >= bound);
    }

    List<PaperClaim> claims12() {
      return List.of(
          PaperClaim.of(
              "Hit ratio of SHADE at 20 %",
              0.725,
              VARIANTS.stream().map(policy -> new Value(policy, hits(policy, 0.2))).toList(),
              ""),
          PaperClaim.of(
              "Hit ratio of CoorDL and Quiver at 20 %",
              0.2,
              List.of("minio", "quiver-emulated").stream()
                  .map(policy -> new Value(policy, hits(policy, 0.2)))
                  .toList(),
              "The first of ten epochs has no hits."),
          PaperClaim.of(
              "Hit ratio at 20 %, as a multiple of Quiver's",
              3.6, times(VARIANTS, "quiver-emulated", 0.2), ""));
    }

    List<Observation> observations12() {
      double coverage = row("shade-repeat", 0.2).coverage();
      return List.of(
          least("shade-repeat", 0.2, 0.725),
          new Observation(
              "By arithmetic 0.725 at 20 % leaves a coverage of at most 47.5 %: shade-repeat reads "
                  + Figures.percent(coverage)
                  + " of the samples in an epoch, and others in the next.",
              coverage <= 0.475));
    }

    Reproduction.Picture lines(String id, List<String> policies) {
      List<Series> lines =
          policies.stream()
              .map(policy ->
                  new Series(
                      policy,
                      policy,
                      all.stream()
                          .filter(row -> row.policy().equals(policy))
                          .map(row -> new Series.Point(100 * row.cacheFraction(), row.hitRatio()))
                          .toList()))
              .toList();
      return ShadePlots.lines(
          id,
          "Hit ratio by the size of the cache",
          "Share of all reads that the cache answers; the higher, the better.",
          "percent of the data cached",
          "hit ratio",
          lines);
    }

    Reproduction.Picture bars(List<String> policies) {
      List<BarPlot.Group> groups =
          policies.stream()
              .map(policy ->
                  new BarPlot.Group(
                      policy,
                      List.of(
                          new BarPlot.Bar(
                              "shade", "hit ratio", ShadePlots.round(hits(policy, 0.2))),
                          new BarPlot.Bar(
                              "lru", "coverage", ShadePlots.round(row(policy, 0.2).coverage())))))
              .toList();
      return ShadePlots.bars(
          "fig12",
          "Hit ratio and coverage with 20 % cached",
          "Hits beyond 0.2 + (1 − coverage) are impossible.",
          "",
          "share",
          groups);
    }
  }
}
