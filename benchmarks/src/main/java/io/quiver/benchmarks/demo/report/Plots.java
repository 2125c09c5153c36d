package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.run.DemoJobResult;
import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.benchmarks.demo.run.Timeline.Moment;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Series;
import io.quiver.report.plot.Series.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The plots of a result, each as one picture. */
public final class Plots {
  private static final double MEGA = 1e6;

  private final DemoResult result;
  private final double seconds;

  /** The plots of a result; all share one scale of time. */
  public Plots(DemoResult result) {
    this.result = result;
    this.seconds = 1.02 * result.slowestSeconds();
  }

  /** Returns every job's progress in one run (Quiver, FAST '20, Figure 3). */
  String progress(RunResult run) {
    double all = (double) run.items() * run.epochs();
    List<Series> lines = new ArrayList<>();
    for (int i = 0; i < run.jobs().size(); i++) {
      int job = i;
      DemoJobResult fared = run.jobs().get(i);
      List<Point> points =
          new ArrayList<>(
              points(run, moment -> 100 * moment.jobItems().get(job) / all).stream()
                  .filter(
                      point -> point.x() >= fared.startSeconds() && point.x() < fared.endSeconds())
                  .toList());
      points.addFirst(new Point(fared.startSeconds(), 0));
      points.addLast(new Point(fared.endSeconds(), 100));
      lines.add(new Series(label(fared), "job" + i % 6, points));
    }
    return new LinePlot(
            "progress-" + run.mode().word(),
            run.mode().title() + ": progress of each job",
            "All jobs are done after " + Figures.seconds(run.seconds()) + ".",
            "seconds",
            "% of its samples",
            210,
            seconds,
            lines)
        .svg();
  }

  static String label(DemoJobResult job) {
    return job.name()
        + (job.speed() == 1 ? "" : " (works " + Figures.plain(job.speed()) + " × as long)");
  }

  /** Bytes from the store in every mode. */
  public String storeBytes() {
    return new LinePlot(
            "bytes",
            "Data read from the store, all jobs together",
            "The steeper a line, the busier the link to the store; where it ends, the jobs are"
                + " done.",
            "seconds",
            "MB from the store",
            300,
            seconds,
            lines(moment -> moment.storeBytes() / MEGA))
        .svg();
  }

  /** Samples all jobs together were given, in every mode. */
  public String samples() {
    return new LinePlot(
            "samples",
            "Samples processed, all jobs together",
            "Thousands of samples that all jobs together were given over time, in every mode.",
            "seconds",
            "thousand samples",
            300,
            seconds,
            lines(moment -> moment.items() / 1000.0))
        .svg();
  }

  private List<Series> lines(ToDoubleFunction<Moment> value) {
    return result.runs().stream()
        .map(run -> new Series(run.mode().title(), run.mode().word(), points(run, value)))
        .toList();
  }

  private static List<Point> points(RunResult run, ToDoubleFunction<Moment> value) {
    List<Point> points = new ArrayList<>();
    points.add(new Point(0, 0));
    for (Moment moment : run.recording().moments()) {
      points.add(new Point(Math.min(moment.seconds(), run.seconds()), value.applyAsDouble(moment)));
    }
    return points;
  }
}
