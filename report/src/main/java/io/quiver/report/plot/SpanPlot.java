package io.quiver.report.plot;

import java.util.List;

/**
 * Spans of time in rows, such as which chunks were in a cache when.
 *
 * @param id tells it from the other plots of the page
 * @param title what it shows
 * @param description the same for those who cannot see it
 * @param nameY what a row is
 * @param rows how many rows there are
 * @param largestX where the time ends, in seconds
 * @param spans the spans
 */
public record SpanPlot(
    String id,
    String title,
    String description,
    String nameY,
    int rows,
    double largestX,
    List<Span> spans) {
  /** Keeps its own copy. */
  public SpanPlot {
    spans = List.copyOf(spans);
  }

  /**
   * One span.
   *
   * @param row which row, from below
   * @param style the class that colours it
   * @param from where it begins
   * @param to where it ends
   */
  public record Span(int row, String style, double from, double to) {}

  /** Returns the picture. */
  public String svg() {
    Frame frame = new Frame(Math.clamp(80 + 9.0 * rows, 180, 560), largestX, rows);
    Markup svg = frame.open(id, title, description);
    frame.axes(svg, "seconds", nameY, tick -> tick == Math.rint(tick) ? Figures.plain(tick) : "");
    for (Span span : spans) {
      double left = frame.x().place(span.from());
      double top = frame.y().place(span.row() + 1.0);
      double row = frame.y().place(span.row()) - top;
      svg.add(
          "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s %s: %s,"
              + " %s to %s s</title></rect>",
          span.style(),
          left,
          top + row * 0.1,
          Math.max(0.6, frame.x().place(span.to()) - left),
          row * 0.8,
          nameY,
          span.row(),
          span.style(),
          span.from(),
          span.to());
    }
    return svg.add("</svg>").toString();
  }
}
