package io.quiver.benchmarks.reproduce;

import io.quiver.report.plot.Figures;
import io.quiver.simulator.shade.TimedStudy;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** SHADE's Figures 8 to 11: training with a slow store behind the cache. */
final class ShadeTimes implements Experiment {
  private static final int ITEMS = 12_000;
  private static final int EPOCHS = 20;
  private static final int BATCH = 80;

  /**
   * A row of the document.
   *
   * @param policy name of the policy
   * @param cacheFraction size of the cache, as a share of the data set
   * @param hitRatio share of the reads that the cache answered, after the first epoch
   * @param coverage mean share of different samples in an epoch
   * @param samplesPerSecond samples learned in a second
   * @param loadMs mean time in which a batch is loaded
   * @param loadDeviationMs its standard deviation within an epoch
   * @param convergedS time until the model has converged, null if it never has
   * @param finalAccuracy accuracy over the last epoch
   */
  record Row(
      String policy,
      double cacheFraction,
      double hitRatio,
      double coverage,
      double samplesPerSecond,
      double loadMs,
      double loadDeviationMs,
      @Nullable Double convergedS,
      double finalAccuracy) {
    static Row of(TimedStudy.Row row) {
      return new Row(
          row.policy(),
          row.cacheFraction(),
          row.hitRatio(),
          row.coverage(),
          row.samplesPerSecond(),
          1000 * row.loadSeconds(),
          1000 * row.loadDeviation(),
          Double.isFinite(row.convergedSeconds()) ? row.convergedSeconds() : null,
          row.finalAccuracy());
    }
  }

  private final int figure;

  /** Makes one of the figures 8 to 11. */
  ShadeTimes(int figure) {
    this.figure = figure;
  }

  @Override
  public String name() {
    return "shade-fig" + figure;
  }

  @Override
  public String summary() {
    String what =
        switch (figure) {
          case 8 -> "accuracy over time, SHADE and LRU";
          case 9 -> "samples per second, SHADE and LRU";
          case 10 -> "load time of a batch, mean and deviation, SHADE and LRU";
          default -> "accuracy over time and samples per second, SHADE and NoPFS";
        };
    return what + " (FAST '23, Figure " + figure + ")";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(TimedStudy.run(ITEMS, EPOCHS, BATCH, setting.seed(), seeds(), steps::done));
  }

  /** Returns the number of trainings to take the mean of: convergence is a matter of chance. */
  private int seeds() {
    return figure == 8 || figure == 11 ? 3 : 1;
  }

  Reproduction told(List<TimedStudy.Row> all) {
    TimedResults rows = new TimedResults(all);
    List<Double> seconds = TimedStudy.sampleSeconds();
    List<PaperClaim> claims =
        switch (figure) {
          case 8 -> rows.claims8();
          case 9 -> rows.claims9();
          case 10 -> rows.claims10();
          default -> rows.claims11();
        };
    return new Reproduction(
        "SHADE, FAST ’23, Figure " + figure,
        "A small model is trained for real, by the samples that each policy draws. Times are"
            + " computed: a GPU takes "
            + rate(seconds.get(0))
            + " samples a second, the cache gives "
            + rate(seconds.get(1))
            + " and the store "
            + rate(seconds.get(2))
            + "; the loader reads eight batches ahead. "
            + (seeds() == 1 ? "One training each" : "Means over " + seeds() + " trainings")
            + "; rates and load times without the first epoch.",
        rows.table(),
        Stream.concat(
                claims.stream().map(PaperClaim::sentence),
                figure == 10 ? rows.notes10().stream() : Stream.empty())
            .toList(),
        switch (figure) {
          case 8 -> rows.observations8();
          case 9 -> rows.observations9();
          case 10 -> rows.observations10();
          default -> rows.observations11();
        },
        rows.pictures(figure),
        new PaperClaim.Document(all.stream().map(Row::of).toList(), claims));
  }

  /** Returns how many samples a second come at so many seconds each. */
  static String rate(double seconds) {
    return Figures.count(Math.round(1 / seconds));
  }
}
