package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.igt.eviction.EvictionStudy.Policy;
import io.quiver.simulator.igt.eviction.EvictionTimes;
import io.quiver.simulator.igt.eviction.EvictionTimes.Row;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** IGTCache's Figure 10: jobs with each rule of eviction, half of the data cached. */
final class IgtEviction implements Experiment {
  private static final int ITEMS = 10_000;
  private static final int PASSES = 8;
  private static final double PUBLISHED_TIME = 0.112;
  private static final double PUBLISHED_HITS = 0.132;

  /** A job may hit so much less than with the rule that suits it best. */
  private static final double NEAR = 0.01;

  private final int items;

  IgtEviction() {
    this(ITEMS);
  }

  /** Makes the experiment with data sets of so many items. */
  IgtEviction(int items) {
    this.items = items;
  }

  @Override
  public String name() {
    return "igt-fig10";
  }

  @Override
  public String summary() {
    return "hit ratios and times of four jobs by the rule of eviction (IGTCache, Figure 10)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(EvictionTimes.run(items, PASSES, setting.seed(), steps::done));
  }

  static Reproduction told(List<Row> all) {
    Rows rows = new Rows(all);
    Table table = new Table("job", "pattern", "policy", "hits", "s");
    all.forEach(row ->
        table.row(
            row.job(),
            row.pattern(),
            row.policy(),
            Figures.percent(row.hitRatio()),
            Figures.plain(row.seconds())));
    List<PaperClaim> claims = rows.claims();
    return new Reproduction(
        "IGTCache, Figure 10",
        "Two trainings and two query loads read each through a cache for half of their data; a door"
            + " recognises the pattern, and the plan's keeper follows. Nothing is read ahead. First"
            + " reads count as misses.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        rows.observations(),
        List.of(rows.picture()),
        new PaperClaim.Document(all, claims));
  }

  /** The results and what follows from them. */
  private record Rows(List<Row> all) {
    private Row row(String job, Policy policy) {
      return all.stream()
          .filter(row -> row.job().equals(job) && row.policy().equals(policy.text()))
          .findFirst()
          .orElseThrow();
    }

    private List<String> jobs() {
      return all.stream().map(Row::job).distinct().toList();
    }

    private double mean(ToDoubleFunction<String> ofJob) {
      return jobs().stream().mapToDouble(ofJob).average().orElseThrow();
    }

    private double hits(Policy policy) {
      return mean(job -> row(job, policy).hitRatio());
    }

    /** Returns the mean time of the jobs, of each as a multiple of ours. */
    private double time(Policy policy) {
      return mean(job -> row(job, policy).seconds() / row(job, Policy.QUIVER).seconds());
    }

    private Policy second(Comparator<Policy> better) {
      return EvictionTimes.COMPARED.stream()
          .filter(policy -> policy != Policy.QUIVER)
          .max(better)
          .orElseThrow();
    }

    private double lessTime() {
      return 1 - 1 / time(second(Comparator.comparingDouble(this::time).reversed()));
    }

    private double moreHits() {
      return hits(Policy.QUIVER) / hits(second(Comparator.comparingDouble(this::hits))) - 1;
    }

    List<PaperClaim> claims() {
      String reason =
          "Pinning is the second best and as good as ours on the trainings, so the mean hangs on"
              + " how fast the popular items of the query loads change, which the paper does not"
              + " tell.";
      return List.of(
          PaperClaim.of(
              "Time saved beside the second best rule, mean of the jobs",
              PUBLISHED_TIME,
              List.of(new Value("quiver", lessTime())),
              reason),
          PaperClaim.of(
              "Hits gained beside the second best rule, mean of the jobs",
              PUBLISHED_HITS,
              List.of(new Value("quiver", moreHits())),
              reason));
    }

    List<Observation> observations() {
      double worst =
          jobs().stream()
              .mapToDouble(job -> best(job) - row(job, Policy.QUIVER).hitRatio())
              .max()
              .orElseThrow();
      return List.of(
          new Observation(
              "Over the jobs ours hits most, "
                  + Figures.ratio(hits(Policy.QUIVER))
                  + " of the reads; the next is "
                  + Figures.ratio(hits(second(Comparator.comparingDouble(this::hits))))
                  + ".",
              moreHits() > 0),
          new Observation("Over the jobs ours takes the least time.", lessTime() > 0),
          new Observation(
              "On no job another rule of the paper hits more than "
                  + Figures.ratio(NEAR)
                  + " beyond ours; at most "
                  + Figures.ratio(Math.max(0, worst))
                  + ".",
              worst <= NEAR),
          new Observation(
              "ARC is no better than LRU on trainings, as in the paper.",
              jobs().stream()
                  .filter(job -> row(job, Policy.ARC).pattern().equals("random"))
                  .allMatch(job ->
                      row(job, Policy.ARC).hitRatio() < row(job, Policy.LRU).hitRatio() + 0.1)));
    }

    private double best(String job) {
      return EvictionTimes.COMPARED.stream()
          .mapToDouble(policy -> row(job, policy).hitRatio())
          .max()
          .orElseThrow();
    }

    Reproduction.Picture picture() {
      List<BarPlot.Group> groups =
          jobs().stream()
              .map(job ->
                  new BarPlot.Group(
                      "job " + job + ", " + row(job, Policy.QUIVER).pattern(),
                      EvictionTimes.COMPARED.stream()
                          .map(policy -> ShadePlots.bar(policy.text(), row(job, policy).hitRatio()))
                          .toList()))
              .toList();
      return ShadePlots.bars(
          "igt-fig10",
          "Hit ratio by the rule of eviction",
          "Share of all reads that the cache answered; the higher, the better.",
          "",
          "hit ratio",
          groups);
    }
  }
}
