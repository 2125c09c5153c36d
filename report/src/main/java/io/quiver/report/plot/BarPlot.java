package io.quiver.report.plot;

import java.util.List;

/**
 * Groups of bars side by side, each with its value above it.
 *
 * @param id tells it from the other plots of the page
 * @param title what it shows
 * @param description the same for those who cannot see it, with the figures that matter
 * @param nameX what a group is
 * @param nameY what goes up
 * @param groups the groups from left to right
 */
public record BarPlot(
    String id, String title, String description, String nameX, String nameY, List<Group> groups) {
  private static final double HEIGHT = 300;
  private static final double FILLED = 0.8;

  /** Keeps its own copy. */
  public BarPlot {
    groups = List.copyOf(groups);
  }

  /**
   * Bars that belong together.
   *
   * @param name what they have in common; each part up to a comma gets a line
   * @param bars the bars from left to right
   */
  public record Group(String name, List<Bar> bars) {
    /** Keeps its own copy. */
    public Group {
      bars = List.copyOf(bars);
    }

    private List<String> lines() {
      return List.of(name.split(", ", -1));
    }
  }

  /**
   * One bar.
   *
   * @param style the class that colours it
   * @param name what it stands for
   * @param value how high it is
   */
  public record Bar(String style, String name, double value) {}

  /** Returns the picture. */
  public String svg() {
    double largest =
        groups.stream()
            .flatMap(group -> group.bars().stream())
            .mapToDouble(Bar::value)
            .max()
            .orElse(1);
    int lines = groups.stream().mapToInt(group -> group.lines().size()).max().orElse(1);
    Frame frame = new Frame(HEIGHT, groups.size(), 1.12 * largest, lines);
    Markup svg = frame.open(id, title, description);
    frame.levels(svg, nameX, nameY, Figures::plain);
    for (int i = 0; i < groups.size(); i++) {
      draw(svg, frame, groups.get(i), i);
    }
    return svg.add("</svg>").toString();
  }

  private static void draw(Markup svg, Frame frame, Group group, int place) {
    double step = FILLED / Math.max(1, group.bars().size());
    double at = place + (1 - FILLED) / 2;
    for (Bar bar : group.bars()) {
      double left = frame.x().place(at);
      double width = frame.x().place(at + step) - left;
      double top = frame.y().place(bar.value());
      svg.add(
          "<rect class=\"bar %s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s, %s:"
              + " %s</title></rect>",
          bar.style(),
          left + 1,
          top,
          Math.max(1, width - 2),
          frame.y().from() - top,
          group.name(),
          bar.name(),
          Figures.plain(bar.value()));
      svg.add(
          "<text class=\"tick\" x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>",
          left + width / 2, top - 5, Figures.plain(bar.value()));
      at += step;
    }
    List<String> lines = group.lines();
    for (int line = 0; line < lines.size(); line++) {
      frame.label(svg, place + 0.5, line, lines.get(line));
    }
  }
}
