package io.quiver.benchmarks.reproduce;

import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Series;
import java.util.List;
import java.util.stream.Collectors;

/** Plots of the study of importance; a policy's name is the style of its lines and bars. */
final class ShadePlots {
  private static final double HEIGHT = 320;

  private ShadePlots() {}

  /** Returns a plot of lines, with the place where each ends for those who cannot see it. */
  static Reproduction.Picture lines(
      String id, String heading, String caption, String nameX, String nameY, List<Series> lines) {
    double last =
        lines.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Series.Point::x)
            .max()
            .orElse(1);
    String ends =
        lines.stream()
            .map(line -> line.name() + " ends at " + round(line.points().getLast().y()))
            .collect(Collectors.joining(", "));
    return new Reproduction.Picture(
        heading,
        caption,
        new LinePlot(id, heading, ends, nameX, nameY, HEIGHT, last, lines).svg(),
        Legend.lines(
            lines.stream().map(line -> new Legend.Entry(line.colour(), line.name())).toList()));
  }

  /** Returns a plot of bars in groups that all have the bars of the first. */
  static Reproduction.Picture bars(
      String id,
      String heading,
      String caption,
      String nameX,
      String nameY,
      List<BarPlot.Group> groups) {
    String values =
        groups.stream()
            .map(group ->
                group.name()
                    + ": "
                    + group.bars().stream()
                        .map(bar -> bar.name() + " " + bar.value())
                        .collect(Collectors.joining(", ")))
            .collect(Collectors.joining("; "));
    return new Reproduction.Picture(
        heading,
        caption,
        new BarPlot(id, heading, values, nameX, nameY, groups).svg(),
        Legend.boxes(
            groups.getFirst().bars().stream()
                .map(bar -> new Legend.Entry(bar.style(), bar.name()))
                .toList()));
  }

  /** Returns a bar of a policy, or of a published figure. */
  static BarPlot.Bar bar(String policy, double value) {
    return new BarPlot.Bar(policy, policy, round(value));
  }

  /** Rounds a value to two digits or a whole number, so that labels of bars have room. */
  static double round(double value) {
    double parts = value < 1 ? 100 : value < 10 ? 10 : 1;
    return Math.rint(parts * value) / parts;
  }
}
