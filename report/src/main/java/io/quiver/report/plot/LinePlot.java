package io.quiver.report.plot;

import io.quiver.report.plot.Series.Point;
import java.util.List;

/**
 * Lines over time.
 *
 * @param id tells it from the other plots of the page
 * @param title what it shows
 * @param description the same for those who cannot see it, with the figures that matter
 * @param nameX what goes to the right
 * @param nameY what goes up
 * @param height of the picture
 * @param largestX where the time ends
 * @param series the lines
 */
public record LinePlot(
    String id,
    String title,
    String description,
    String nameX,
    String nameY,
    double height,
    double largestX,
    List<Series> series) {
  /** Keeps its own copy. */
  public LinePlot {
    series = List.copyOf(series);
  }

  /** Returns the picture. */
  public String svg() {
    double largestY = series.stream().mapToDouble(Series::largestY).max().orElse(1);
    Frame frame = new Frame(height, largestX, 1.04 * largestY);
    Markup svg = frame.open(id, title, description);
    frame.axes(svg, nameX, nameY, Figures::plain);
    for (Series line : series) {
      svg.add(
          "<polyline class=\"line %s\" points=\"%s\"><title>%s</title></polyline>",
          line.colour(), points(line, frame), line.name());
    }
    return svg.add("</svg>").toString();
  }

  private static String points(Series line, Frame frame) {
    StringBuilder text = new StringBuilder();
    for (Point point : line.points()) {
      text.append(Markup.number(frame.x().place(point.x())))
          .append(',')
          .append(Markup.number(frame.y().place(point.y())))
          .append(' ');
    }
    return text.toString().strip();
  }
}
