package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.core.stream.AccessPattern;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.igt.CacheKind;
import io.quiver.simulator.igt.ClusterRun.JobResult;
import io.quiver.simulator.igt.IgtStudy;
import io.quiver.simulator.igt.IgtStudy.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** IGTCache's Figures 8 and 16: all programs together, with each cache and with caches of sizes. */
final class IgtPrograms implements Experiment {
  private static final double SCALE = 0.05;

  /** The paper's figures: CHR +55.6 %, JCT −52.2 %, and JuiceFS −55.0 % of no cache. */
  private static final double PAPER_HITS = 1.556;

  private static final double PAPER_TIME = 0.478;
  private static final double PAPER_CACHED_TIME = 0.45;

  /** The paper's hit ratios with a cache for everything. */
  private static final double PAPER_FULL = 0.962;

  private static final double PAPER_FULL_JUICEFS = 0.643;
  private static final List<Double> SHARES = List.of(0.2, 0.35, 0.6, 1.0);

  private final boolean bySize;

  private IgtPrograms(boolean bySize) {
    this.bySize = bySize;
  }

  /** Figure 8: every cache, by pattern and for all programs. */
  static IgtPrograms figure8() {
    return new IgtPrograms(false);
  }

  /** Figure 16: sizes of the cache. */
  static IgtPrograms figure16() {
    return new IgtPrograms(true);
  }

  @Override
  public String name() {
    return bySize ? "igt-fig16" : "igt-fig8";
  }

  @Override
  public String summary() {
    return bySize
        ? "hits of 18 programs by the size of the cache (IGTCache, Figure 16)"
        : "hits and completion times of 18 programs, by pattern (IGTCache, Figure 8)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    IgtStudy study = new IgtStudy(SCALE, setting.seed());
    List<Row> rows =
        bySize
            ? study.sizes(List.of(CacheKind.QUIVER, CacheKind.JUICEFS), SHARES, steps::done)
            : study.endToEnd(List.of(CacheKind.values()), steps::done);
    return bySize ? sizes(rows) : endToEnd(rows);
  }

  private static Predicate<JobResult> of(AccessPattern pattern) {
    return job -> job.pattern() == pattern;
  }

  private static Row row(List<Row> rows, CacheKind system) {
    return rows.stream().filter(row -> row.system() == system).findFirst().orElseThrow();
  }

  private static Reproduction endToEnd(List<Row> rows) {
    Table table =
        new Table(
            "cache",
            "hits: all",
            "sequential",
            "random",
            "skewed",
            "mean time: all",
            "sequential",
            "random",
            "skewed");
    for (Row row : rows) {
      List<String> cells = new ArrayList<>(List.of(row.system().word()));
      patterns().forEach(which -> cells.add(Figures.percent(row.result().hitRatio(which))));
      patterns().forEach(which -> cells.add(Figures.seconds(row.result().meanSeconds(which))));
      table.row(cells.toArray(String[]::new));
    }
    Row quiver = row(rows, CacheKind.QUIVER);
    Row juicefs = row(rows, CacheKind.JUICEFS);
    Row none = row(rows, CacheKind.NONE);
    double hits = quiver.result().hitRatio() / juicefs.result().hitRatio();
    double time = quiver.result().meanSeconds() / juicefs.result().meanSeconds();
    double cached = juicefs.result().meanSeconds() / none.result().meanSeconds();
    List<PaperClaim> claims =
        List.of(
            PaperClaim.of(
                "Hits, as a multiple of those of JuiceFS",
                PAPER_HITS,
                List.of(new Value("quiver", hits)),
                "Epochs and the popularity of items are not published; they decide how many first"
                    + " reads there are, which only prefetching answers."),
            PaperClaim.of(
                "Mean completion time, as a share of that with JuiceFS",
                PAPER_TIME,
                List.of(new Value("quiver", time)),
                "Times of computing are not published; what they take no cache can save."),
            PaperClaim.of(
                "Mean completion time of JuiceFS, as a share of that without a cache",
                PAPER_CACHED_TIME,
                List.of(new Value("juicefs", cached)),
                "Without a cache everything shares one link, which is hardly ever idle."));
    return new Reproduction(
        "IGTCache, Figure 8",
        "The 18 programs of the paper arrive at random times and read one slow store through one"
            + " cache, at "
            + Figures.ratio(SCALE)
            + " of the paper's number of items. A hit is a read that did not wait for the store.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        List.of(
            new Observation(
                "Quiver hits more than every other cache, " + Figures.times(hits) + " JuiceFS.",
                rows.stream()
                    .allMatch(row -> row.result().hitRatio() <= quiver.result().hitRatio())),
            new Observation(
                "With Quiver programs end sooner than with every other cache.",
                rows.stream()
                    .allMatch(row -> row.result().meanSeconds() >= quiver.result().meanSeconds()))),
        List.of(bars(rows)),
        new PaperClaim.Document(rows, claims));
  }

  private static List<Predicate<JobResult>> patterns() {
    return List.of(
        any -> true,
        of(AccessPattern.SEQUENTIAL),
        of(AccessPattern.RANDOM),
        of(AccessPattern.SKEWED));
  }

  private static Reproduction.Picture bars(List<Row> rows) {
    List<String> names = List.of("all", "sequential", "random", "skewed");
    List<BarPlot.Group> groups = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Predicate<JobResult> which = patterns().get(i);
      groups.add(
          new BarPlot.Group(
              names.get(i),
              rows.stream()
                  .map(row -> ShadePlots.bar(row.system().word(), row.result().hitRatio(which)))
                  .toList()));
    }
    return ShadePlots.bars(
        "hits",
        "Hits by pattern",
        "Share of reads answered without the store.",
        "pattern",
        "hits",
        groups);
  }

  private static Reproduction sizes(List<Row> rows) {
    Table table =
        new Table("cache, of all data", "quiver: hits", "mean time", "juicefs: hits", "mean time");
    List<BarPlot.Group> groups = new ArrayList<>();
    boolean better = true;
    for (int i = 0; i < SHARES.size(); i++) {
      Row quiver = rows.get(2 * i);
      Row juicefs = rows.get(2 * i + 1);
      String share = Figures.percent(SHARES.get(i));
      table.row(
          share,
          Figures.percent(quiver.result().hitRatio()),
          Figures.seconds(quiver.result().meanSeconds()),
          Figures.percent(juicefs.result().hitRatio()),
          Figures.seconds(juicefs.result().meanSeconds()));
      groups.add(
          new BarPlot.Group(
              share,
              List.of(
                  ShadePlots.bar("quiver", quiver.result().hitRatio()),
                  ShadePlots.bar("juicefs", juicefs.result().hitRatio()))));
      better &= quiver.result().hitRatio() > juicefs.result().hitRatio();
    }
    Row full = rows.get(rows.size() - 2);
    Row fullJuicefs = rows.getLast();
    List<PaperClaim> claims =
        List.of(
            PaperClaim.of(
                "Hits with a cache for everything",
                PAPER_FULL,
                List.of(new Value("quiver", full.result().hitRatio())),
                "First reads of sequential programs that read as fast as the link is come late,"
                    + " and count as misses here."),
            PaperClaim.of(
                "Hits with a cache for everything",
                PAPER_FULL_JUICEFS,
                List.of(new Value("juicefs", fullJuicefs.result().hitRatio())),
                "How many epochs programs run is not published; it decides the share of first"
                    + " reads."));
    return new Reproduction(
        "IGTCache, Figure 16",
        "The 18 programs of the paper with caches for a fifth to all of their data.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        List.of(new Observation("Quiver hits more than JuiceFS with every cache.", better)),
        List.of(
            ShadePlots.bars(
                "sizes",
                "Hits by size",
                "Share of reads answered without the store.",
                "cache, as a share of all data",
                "hits",
                groups)),
        new PaperClaim.Document(rows, claims));
  }
}
