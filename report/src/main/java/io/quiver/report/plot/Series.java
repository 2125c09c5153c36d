package io.quiver.report.plot;

import java.util.List;

/**
 * A line of a plot.
 *
 * @param name what it shows
 * @param colour the style class that colours it
 * @param points its points in order
 */
public record Series(String name, String colour, List<Point> points) {
  /** Keeps its own copy. */
  public Series {
    points = List.copyOf(points);
  }

  /**
   * A point of a line.
   *
   * @param x to the right
   * @param y upwards
   */
  public record Point(double x, double y) {}

  double largestX() {
    return points.stream().mapToDouble(Point::x).max().orElse(0);
  }

  double largestY() {
    return points.stream().mapToDouble(Point::y).max().orElse(0);
  }
}
