package io.quiver.report.plot;

import java.util.function.DoubleFunction;

/** The part of a plot that all plots share: title for those who cannot see it, axes, grid. */
public final class Frame {
  /** The width of every plot. */
  public static final double WIDTH = 760;

  private static final double LEFT = 62;
  private static final double RIGHT = 14;
  private static final double TOP = 12;
  private static final double BOTTOM = 26;
  private static final double LINE = 18;

  private final double height;
  private final int labelLines;
  private final Axis x;
  private final Axis y;

  Frame(double height, double largestX, double largestY) {
    this(height, largestX, largestY, 1);
  }

  /** With labels of several lines below. */
  Frame(double height, double largestX, double largestY, int labelLines) {
    this.height = height;
    this.labelLines = labelLines;
    this.x = new Axis(largestX, LEFT, WIDTH - RIGHT);
    this.y = new Axis(largestY, height - BOTTOM - labelLines * LINE, TOP);
  }

  Axis x() {
    return x;
  }

  Axis y() {
    return y;
  }

  /** Begins the picture. */
  Markup open(String id, String title, String description) {
    return new Markup()
        .add(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" role=\"img\""
                + " aria-labelledby=\"%s-t %s-d\" class=\"plot\">",
            WIDTH, height, id, id)
        .add("<title id=\"%s-t\">%s</title>", id, title)
        .add("<desc id=\"%s-d\">%s</desc>", id, description);
  }

  /** Draws grid, numbers and names of the axes. */
  void axes(Markup svg, String nameX, String nameY, DoubleFunction<String> labelY) {
    levels(svg, nameX, nameY, labelY);
    for (double tick : x.ticks(8)) {
      label(svg, tick, 0, Figures.plain(tick));
    }
  }

  /** Writes a line of a label below the axis. */
  void label(Markup svg, double at, int line, String text) {
    svg.add(
        "<text class=\"tick\" x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>",
        x.place(at), y.from() + (line + 1) * LINE, text);
  }

  /** Draws levels without numbers on the horizontal axis, whose entries have names. */
  void levels(Markup svg, String nameX, String nameY, DoubleFunction<String> labelY) {
    for (double tick : y.ticks(5)) {
      double at = y.place(tick);
      svg.add(
          "<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>",
          x.from(), x.to(), at, at);
      svg.add(
          "<text class=\"tick\" x=\"%s\" y=\"%s\" text-anchor=\"end\">%s</text>",
          x.from() - 8, at + 4, labelY.apply(tick));
    }
    svg.add(
        "<line class=\"axis\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>",
        x.from(), x.to(), y.from(), y.from());
    svg.add(
        "<text class=\"name\" x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>",
        (x.from() + x.to()) / 2, y.from() + (labelLines + 1) * LINE, nameX);
    double middle = (y.from() + y.to()) / 2;
    svg.add(
        "<text class=\"name\" x=\"14\" y=\"%s\" text-anchor=\"middle\" transform=\"rotate(-90 14"
            + " %s)\">%s</text>",
        middle, middle, nameY);
  }
}
