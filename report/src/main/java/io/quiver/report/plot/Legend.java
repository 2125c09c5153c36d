package io.quiver.report.plot;

import java.util.List;

/** The key below a plot: what each line or box stands for. */
public final class Legend {
  private Legend() {}

  /** Returns a key of lines. */
  public static String lines(List<LegendEntry> keys) {
    return list(keys, "<line class=\"line %s\" x1=\"0\" x2=\"26\" y1=\"6\" y2=\"6\"/>");
  }

  /** Returns a key of boxes. */
  public static String boxes(List<LegendEntry> keys) {
    return list(keys, "<rect class=\"%s\" x=\"2\" y=\"1\" width=\"22\" height=\"10\"/>");
  }

  private static String list(List<LegendEntry> keys, String sample) {
    Markup markup = new Markup().add("<ul class=\"keys\">");
    for (LegendEntry key : keys) {
      markup.add(
          "<li><svg viewBox=\"0 0 26 12\" aria-hidden=\"true\">" + sample + "</svg>%s</li>",
          key.style(),
          key.name());
    }
    return markup.add("</ul>").toString();
  }
}
