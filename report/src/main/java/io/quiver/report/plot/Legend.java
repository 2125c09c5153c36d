package io.quiver.report.plot;

import java.util.List;

/** Writes the key below a plot: what each line or box stands for. */
public final class Legend {
  /** An entry of the key: the class that styles it, and its name. */
  public record Entry(String style, String name) {}

  private Legend() {}

  /** Returns a key of lines. */
  public static String lines(List<Entry> keys) {
    return list(keys, "<line class=\"line %s\" x1=\"0\" x2=\"26\" y1=\"6\" y2=\"6\"/>");
  }

  /** Returns a key of boxes. */
  public static String boxes(List<Entry> keys) {
    return list(keys, "<rect class=\"%s\" x=\"2\" y=\"1\" width=\"22\" height=\"10\"/>");
  }

  private static String list(List<Entry> keys, String sample) {
    Markup markup = new Markup().add("<ul class=\"keys\">");
    for (Entry key : keys) {
      markup.add(
          "<li><svg viewBox=\"0 0 26 12\" aria-hidden=\"true\">" + sample + "</svg>%s</li>",
          key.style(),
          key.name());
    }
    return markup.add("</ul>").toString();
  }
}
