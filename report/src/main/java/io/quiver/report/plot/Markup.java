package io.quiver.report.plot;

import java.util.Locale;

/** Text in the making for a page: escapes what comes from outside, writes numbers shortly. */
public final class Markup {
  private final StringBuilder text = new StringBuilder();

  /** Adds text as it is; {@code %s} places are filled with escaped values. */
  public Markup add(String template, Object... values) {
    Object[] escaped = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      escaped[i] = values[i] instanceof Double number ? number(number) : escape(values[i]);
    }
    text.append(String.format(Locale.ROOT, template, escaped)).append('\n');
    return this;
  }

  /** Adds markup that was made before. */
  public Markup include(String markup) {
    text.append(markup);
    return this;
  }

  /** Returns one decimal at most: a tenth of a pixel is enough. */
  static String number(double value) {
    String shown = String.format(Locale.ROOT, "%.1f", value);
    return shown.endsWith(".0") ? shown.substring(0, shown.length() - 2) : shown;
  }

  static String escape(Object value) {
    return String.valueOf(value)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
