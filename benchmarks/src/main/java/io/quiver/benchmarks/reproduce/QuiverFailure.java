package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.ByteSize;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Series;
import io.quiver.simulator.experiment.Failure;
import io.quiver.simulator.experiment.ProgressMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Quiver's §4.8: a cache server is lost in mid-epoch. */
final class QuiverFailure implements Experiment {
  private static final List<String> COLOURS = List.of("quiver", "lru", "job2");

  @Override
  public String name() {
    return "quiver-failure";
  }

  @Override
  public String summary() {
    return "a cache server is lost in mid-epoch: progress before, at worst, after (FAST '20, §4.8)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(Failure.run(setting.seed(), steps::done));
  }

  static Reproduction told(List<Failure.Outcome> outcomes) {
    Table table =
        new Table(
            "cache",
            "store",
            "before",
            "at worst",
            "at the end",
            "recovered after",
            "from the store before",
            "at most");
    for (Failure.Outcome each : outcomes) {
      table.row(
          title(each),
          Figures.plain(each.storeFactor()) + " ×",
          Figures.large(each.before()) + "/s",
          Figures.large(each.worst()) + "/s",
          Figures.large(each.after()) + "/s",
          Figures.seconds(each.recoverySeconds()),
          ByteSize.show((long) each.storeBefore()) + "/s",
          ByteSize.show((long) each.storeWorst()) + "/s");
    }
    return new Reproduction(
        "Quiver, FAST ’20, §4.8: a lost server",
        "Seven jobs, seven cache servers; one server is lost after "
            + Figures.plain(Failure.LOST_SECONDS)
            + " seconds. Progress in mini-batches per second of all jobs, in spans of ten seconds.",
        table,
        List.of(
            "Jobs that substitute continue with the cached rest while the lost part is loaded again;"
                + " jobs with a strict order wait for the store. Every item still came exactly once."),
        outcomes.stream().map(each -> observation(each, outcomes)).toList(),
        List.of(picture(outcomes)),
        outcomes);
  }

  /** Observes that jobs recover, and that substitutes help where others have the same cache. */
  private static Observation observation(Failure.Outcome each, List<Failure.Outcome> all) {
    boolean recovered = each.after() >= 0.98 * each.before();
    double strict =
        all.stream()
            .filter(other -> isStrict(other) && other.cacheShare() == each.cacheShare())
            .mapToDouble(QuiverFailure::kept)
            .max()
            .orElse(0);
    boolean ahead = isStrict(each) || kept(each) > strict;
    return new Observation(
        title(each)
            + ": progress falls to "
            + Figures.percent(kept(each))
            + (isStrict(each) || strict == 0
                ? ""
                : ", less deep than in strict order (" + Figures.percent(strict) + ")")
            + ", and is at "
            + Figures.percent(each.after() / each.before())
            + " of what it was at the end.",
        recovered && ahead);
  }

  private static boolean isStrict(Failure.Outcome outcome) {
    return outcome.cache().equals("lru");
  }

  private static double kept(Failure.Outcome outcome) {
    return outcome.worst() / outcome.before();
  }

  private static String title(Failure.Outcome outcome) {
    return (outcome.cacheShare() >= 1 ? "all" : Figures.percent(outcome.cacheShare()))
        + (isStrict(outcome) ? ", LRU in strict order" : ", Quiver");
  }

  private static Reproduction.Picture picture(List<Failure.Outcome> outcomes) {
    List<Series> lines = new ArrayList<>();
    List<Legend.Entry> keys = new ArrayList<>();
    double first =
        outcomes.stream()
            .flatMap(outcome -> outcome.progress().stream())
            .mapToDouble(ProgressMeter.Sample::seconds)
            .min()
            .orElse(0);
    for (int i = 0; i < outcomes.size(); i++) {
      String colour = COLOURS.get(i % COLOURS.size());
      lines.add(
          new Series(
              title(outcomes.get(i)),
              colour,
              outcomes.get(i).progress().stream()
                  .map(point -> new Series.Point(point.seconds() - first, point.value()))
                  .toList()));
      keys.add(new Legend.Entry(colour, title(outcomes.get(i))));
    }
    double last =
        lines.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Series.Point::x)
            .max()
            .orElse(1);
    return new Reproduction.Picture(
        "Progress of all jobs",
        "The server is lost after "
            + Figures.plain(Math.rint(Failure.LOST_SECONDS - first))
            + " seconds of this picture.",
        new LinePlot(
                "failure",
                "Mini-batches per second of all jobs",
                outcomes.stream()
                    .map(each -> title(each) + " keeps " + Figures.percent(kept(each)))
                    .collect(Collectors.joining("; ", "At worst, ", ".")),
                "seconds",
                "mini-batches per second",
                280,
                last,
                lines)
            .svg(),
        Legend.lines(keys));
  }
}
