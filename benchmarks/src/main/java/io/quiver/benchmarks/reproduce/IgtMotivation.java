package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.igt.eviction.EvictionStudy;
import io.quiver.simulator.igt.eviction.EvictionStudy.Policy;
import io.quiver.simulator.igt.prefetch.PrefetchStudy;
import io.quiver.simulator.igt.prefetch.PrefetchStudy.Way;
import java.util.List;

/**
 * IGTCache's Figure 2: no granularity of reading ahead and no rule of eviction suits all workloads.
 */
final class IgtMotivation implements Experiment {
  private static final double PUBLISHED_BLOCKS = 0.227;
  private static final double PUBLISHED_FILES = 0.783;
  private static final double PUBLISHED_QUERIES = 0.275;
  private static final double PUBLISHED_TRAINING = -0.348;
  private static final double HALF = 0.5;

  /** The scan of one large file, and that of many small ones. */
  private static final String TEXT = "5";

  private static final String IMAGES = "8";
  private static final String QUERIES = "drifting";
  private static final String TRAINING = "random";

  /** Less than this is no benefit. */
  private static final double NOTHING = 0.01;

  private final double scale;
  private final int items;

  IgtMotivation() {
    this(1, EvictionStudy.ITEMS);
  }

  /** Makes the experiment with smaller data sets. */
  IgtMotivation(double scale, int items) {
    this.scale = scale;
    this.items = items;
  }

  @Override
  public String name() {
    return "igt-fig2";
  }

  @Override
  public String summary() {
    return "blocks or files read ahead, LRU or pinning: neither suits all (IGTCache, Figure 2)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    List<PrefetchStudy.Row> ahead =
        PrefetchStudy.granularities(
            scale, setting.seed(), (done, all) -> steps.done(done, 2 * all));
    List<EvictionStudy.Row> kept =
        EvictionStudy.run(
            items,
            EvictionStudy.PASSES,
            setting.seed(),
            (done, all) -> steps.done(all + done, 2 * all));
    return told(ahead, kept);
  }

  static Reproduction told(List<PrefetchStudy.Row> ahead, List<EvictionStudy.Row> kept) {
    Results results = new Results(ahead, kept);
    Table table = new Table("part", "workload", "policy", "s", "hits");
    for (PrefetchStudy.Row row : ahead) {
      table.row("a", "job " + row.job(), row.prefetch(), Figures.plain(row.seconds()), "");
    }
    for (String workload : List.of(QUERIES, TRAINING)) {
      for (Policy policy : List.of(Policy.LRU, Policy.UNIFORM, Policy.QUIVER)) {
        table.row(
            "b", workload, policy.text(), "", Figures.percent(results.hits(workload, policy)));
      }
    }
    List<PaperClaim> claims = results.claims();
    return new Reproduction(
        "IGTCache, Figure 2",
        "(a) One large file of text and many small images are scanned while blocks (juicefs) or"
            + " whole files (next-files) are read ahead. (b) A query load whose popular items"
            + " change and a training read through a cache for half of their data under LRU and"
            + " under pinning.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        results.observations(),
        List.of(results.times(), results.ratios()),
        new PaperClaim.Document(
            List.of(new Documents(ahead, kept.stream().filter(Results::isShown).toList())),
            claims));
  }

  /**
   * The rows of both parts.
   *
   * @param prefetch times by what is read ahead
   * @param eviction hit ratios by the rule of eviction
   */
  record Documents(List<PrefetchStudy.Row> prefetch, List<EvictionStudy.Row> eviction) {}

  /** The results and what follows from them. */
  private record Results(List<PrefetchStudy.Row> ahead, List<EvictionStudy.Row> kept) {
    static boolean isShown(EvictionStudy.Row row) {
      return row.cacheFraction() == HALF
          && (row.workload().equals(QUERIES) || row.workload().equals(TRAINING));
    }

    private double seconds(String job, Way way) {
      return ahead.stream()
          .filter(row -> row.job().equals(job) && row.prefetch().equals(way.text()))
          .mapToDouble(PrefetchStudy.Row::seconds)
          .findFirst()
          .orElseThrow();
    }

    /** Returns the share of the time that reading ahead saves. */
    private double saved(String job, Way way) {
      return 1 - seconds(job, way) / seconds(job, Way.NONE);
    }

    double hits(String workload, Policy policy) {
      return kept.stream()
          .filter(Results::isShown)
          .filter(row -> row.workload().equals(workload) && row.policy().equals(policy.text()))
          .mapToDouble(EvictionStudy.Row::hitRatio)
          .findFirst()
          .orElseThrow();
    }

    private double recency(String workload) {
      return hits(workload, Policy.LRU) - hits(workload, Policy.UNIFORM);
    }

    List<PaperClaim> claims() {
      return List.of(
          PaperClaim.of(
              "Time that blocks read ahead save, one file of text",
              PUBLISHED_BLOCKS,
              List.of(
                  new Value("juicefs", saved(TEXT, Way.JUICEFS)),
                  new Value("quiver", saved(TEXT, Way.QUIVER))),
              ""),
          PaperClaim.of(
              "Time that files read ahead save, many images",
              PUBLISHED_FILES,
              List.of(
                  new Value("next-files", saved(IMAGES, Way.NEXT_FILES)),
                  new Value("quiver", saved(IMAGES, Way.QUIVER))),
              ""),
          PaperClaim.of(
              "Hit ratio of LRU less that of pinning, queries",
              PUBLISHED_QUERIES,
              List.of(new Value("lru", recency(QUERIES))),
              "It hangs on how fast the popular items change; where they never do it is 0."),
          PaperClaim.of(
              "Hit ratio of LRU less that of pinning, training",
              PUBLISHED_TRAINING,
              List.of(new Value("lru", recency(TRAINING))),
              ""));
    }

    List<Observation> observations() {
      return List.of(
          new Observation(
              "Blocks read ahead help the large file and not the images; files the other way"
                  + " round.",
              saved(TEXT, Way.JUICEFS) > NOTHING
                  && saved(IMAGES, Way.JUICEFS) < NOTHING
                  && saved(TEXT, Way.NEXT_FILES) < NOTHING
                  && saved(IMAGES, Way.NEXT_FILES) > NOTHING),
          new Observation(
              "LRU is better than pinning for the queries and worse for the training.",
              recency(QUERIES) > NOTHING && recency(TRAINING) < -NOTHING),
          new Observation(
              "With recognition each is about as good as with the better of the two.",
              saved(TEXT, Way.QUIVER) > saved(TEXT, Way.JUICEFS) - NOTHING
                  && saved(IMAGES, Way.QUIVER) > saved(IMAGES, Way.NEXT_FILES) - NOTHING
                  && hits(QUERIES, Policy.QUIVER) > hits(QUERIES, Policy.LRU) - NOTHING
                  && hits(TRAINING, Policy.QUIVER) > hits(TRAINING, Policy.UNIFORM) - NOTHING));
    }

    Reproduction.Picture times() {
      List<BarPlot.Group> groups =
          List.of(TEXT, IMAGES).stream()
              .map(job ->
                  new BarPlot.Group(
                      job.equals(TEXT) ? "one file of text" : "many images",
                      List.of(Way.NONE, Way.JUICEFS, Way.NEXT_FILES, Way.QUIVER).stream()
                          .map(way -> ShadePlots.bar(way.text(), 100 * (1 - saved(job, way))))
                          .toList()))
              .toList();
      return ShadePlots.bars(
          "igt-fig2a",
          "Completion time by what is read ahead",
          "Percent of the time without reading ahead; the lower, the better.",
          "",
          "percent",
          groups);
    }

    Reproduction.Picture ratios() {
      List<BarPlot.Group> groups =
          List.of(QUERIES, TRAINING).stream()
              .map(workload ->
                  new BarPlot.Group(
                      workload.equals(QUERIES) ? "queries" : "training",
                      List.of(Policy.LRU, Policy.UNIFORM, Policy.QUIVER).stream()
                          .map(policy -> ShadePlots.bar(policy.text(), hits(workload, policy)))
                          .toList()))
              .toList();
      return ShadePlots.bars(
          "igt-fig2b",
          "Hit ratio by the rule of eviction",
          "Half of the data cached; the higher, the better.",
          "",
          "hit ratio",
          groups);
    }
  }
}
