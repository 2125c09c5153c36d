package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.igt.prefetch.PrefetchStudy;
import io.quiver.simulator.igt.prefetch.PrefetchStudy.Row;
import io.quiver.simulator.igt.prefetch.PrefetchStudy.Way;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** IGTCache's Figure 9: jobs with each way of reading ahead. */
final class IgtPrefetching implements Experiment {
  private static final double PUBLISHED_TIME = 0.649;
  private static final double PUBLISHED_HITS = 0.682;
  private static final double PUBLISHED_SLICE = 0.644;
  private static final double PUBLISHED_INFLATION = 15.7;
  private static final double PUBLISHED_FILL = 0.068;

  /** The job that reads one file of each directory. */
  private static final String SLICE = "4";

  /** The job that reads at random; the paper tells of it apart from the others. */
  private static final String RANDOM = "7";

  private final double scale;

  IgtPrefetching() {
    this(1);
  }

  /** Makes the experiment with a part of the files of each data set. */
  IgtPrefetching(double scale) {
    this.scale = scale;
  }

  @Override
  public String name() {
    return "igt-fig9";
  }

  @Override
  public String summary() {
    return "completion times of eight jobs by the way of reading ahead (IGTCache, Figure 9)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(PrefetchStudy.run(scale, setting.seed(), steps::done));
  }

  static Reproduction told(List<Row> all) {
    Rows rows = new Rows(all);
    Table table =
        new Table("job", "read ahead", "s", "answered at once", "on its way", "ahead", "in vain");
    all.forEach(row ->
        table.row(
            row.job(),
            row.prefetch(),
            Figures.plain(row.seconds()),
            Figures.percent(row.hitRatio()),
            Figures.percent(row.lateShare()),
            Figures.count(row.fetchedAhead()),
            Figures.count(row.wasted())));
    List<PaperClaim> claims = rows.claims();
    return new Reproduction(
        "IGTCache, Figure 9",
        "Jobs of the paper's Table 3 read through an empty cache that holds everything, from a"
            + " store that answers after 150 ms and delivers 1 Gb/s. They differ in nothing but"
            + " what is read ahead. Each reads one block at a time; what it computes for a block is"
            + " an estimate.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        rows.observations(),
        List.of(rows.picture()),
        new PaperClaim.Document(all, claims));
  }

  /** The results and what follows from them. */
  private record Rows(List<Row> all) {
    private Row row(String job, Way way) {
      return all.stream()
          .filter(row -> row.job().equals(job) && row.prefetch().equals(way.text()))
          .findFirst()
          .orElseThrow();
    }

    private List<String> jobs() {
      return all.stream().map(Row::job).distinct().toList();
    }

    /** Adds up a figure over the sequential jobs. */
    private double sum(Way way, ToDoubleFunction<Row> figure) {
      return jobs().stream()
          .filter(job -> !job.equals(RANDOM))
          .mapToDouble(job -> figure.applyAsDouble(row(job, way)))
          .sum();
    }

    private Way second(Comparator<Way> worse) {
      return Way.COMPARED.stream().filter(way -> way != Way.QUIVER).max(worse).orElseThrow();
    }

    private double less(ToDoubleFunction<Way> seconds, Way other) {
      return 1 - seconds.applyAsDouble(Way.QUIVER) / seconds.applyAsDouble(other);
    }

    private double lessTime() {
      ToDoubleFunction<Way> seconds = way -> sum(way, Row::seconds);
      return less(seconds, second(Comparator.comparingDouble(seconds).reversed()));
    }

    private double moreHits(ToDoubleFunction<Row> hits) {
      ToDoubleFunction<Way> sums = way -> sum(way, hits);
      Way second = second(Comparator.comparingDouble(sums));
      return sums.applyAsDouble(Way.QUIVER) / sums.applyAsDouble(second) - 1;
    }

    private double lessTime(String job) {
      return less(way -> row(job, way).seconds(), Way.NONE);
    }

    private double inflation() {
      return row(SLICE, Way.NEXT_DIRECTORIES).seconds() / row(SLICE, Way.QUIVER).seconds();
    }

    List<PaperClaim> claims() {
      return List.of(
          PaperClaim.of(
              "Time saved beside the second best, all sequential jobs together",
              PUBLISHED_TIME,
              List.of(new Value("quiver", lessTime())),
              "Four items ahead of one reader can save four fifths at most; a door reads"
                  + " further ahead as long as programs wait, until the store's link is full."),
          PaperClaim.of(
              "Hits gained beside the second best, mean over these jobs",
              PUBLISHED_HITS,
              List.of(
                  new Value("at once", moreHits(Row::hitRatio)),
                  new Value(
                      "at once or on its way", moreHits(row -> row.hitRatio() + row.lateShare()))),
              "Four of these seven jobs read small files, of which the others read nothing ahead."
                  + " Which jobs the paper's mean is over is told in its drawing only."),
          PaperClaim.of(
              "Time saved by hierarchical prefetching, job 4",
              PUBLISHED_SLICE,
              List.of(new Value("quiver", lessTime(SLICE))),
              "The depth is not limited to four here either."),
          PaperClaim.of(
              "Time of job 4 with all files of the next directories, as a multiple",
              PUBLISHED_INFLATION,
              List.of(new Value("next-directories", inflation())),
              "Ten files of a directory are ten times the bytes of one; more than that is lost only"
                  + " where the store slows down under so many reads, which it does not do here."),
          PaperClaim.of(
              "Time saved by filling the cache, first epoch of job 7",
              PUBLISHED_FILL,
              List.of(new Value("quiver", lessTime(RANDOM))),
              "Nearly all of the epoch's "
                  + Figures.plain(row(RANDOM, Way.NONE).seconds())
                  + " s is what the model computes, for which the paper gives no time: the less it"
                  + " is, the larger is the part that waits for the store and can be saved."));
    }

    List<Observation> observations() {
      Row slice = row(SLICE, Way.QUIVER);
      boolean never =
          jobs().stream().allMatch(job -> row(job, Way.QUIVER).seconds() <= 1.01 * fastest(job));
      return List.of(
          new Observation(
              "The sequential jobs take "
                  + Figures.percent(lessTime())
                  + " less time than with the second best.",
              lessTime() >= PUBLISHED_TIME),
          new Observation("No job is slower than with any other way, but for a hundredth.", never),
          new Observation(
              "Below the next directories nothing is read ahead that their siblings were not read"
                  + " for: "
                  + Figures.count(slice.wasted())
                  + " of "
                  + Figures.count(slice.fetchedAhead())
                  + " blocks were read in vain, and "
                  + Figures.count(row(SLICE, Way.NEXT_DIRECTORIES).wasted())
                  + " with whole directories.",
              slice.wasted() == 0 && slice.fetchedAhead() > 0));
    }

    private double fastest(String job) {
      return Way.COMPARED.stream().mapToDouble(way -> row(job, way).seconds()).min().orElseThrow();
    }

    Reproduction.Picture picture() {
      List<BarPlot.Group> groups =
          jobs().stream()
              .map(job ->
                  new BarPlot.Group(
                      "job " + job, Way.COMPARED.stream().map(way -> bar(job, way)).toList()))
              .toList();
      return ShadePlots.bars(
          "igt-fig9",
          "Completion time by the way of reading ahead",
          "Percent of the time without reading ahead; the lower, the better.",
          "",
          "percent",
          groups);
    }

    private BarPlot.Bar bar(String job, Way way) {
      double share = row(job, way).seconds() / row(job, Way.NONE).seconds();
      return ShadePlots.bar(way.text(), 100 * share);
    }
  }
}
