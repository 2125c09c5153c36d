package io.quiver.cli.demo.report;

import java.util.Locale;

/** Numbers as the demo shows them, the same in the terminal and on the page. */
final class Figures {
  private Figures() {}

  static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f s", value);
  }

  static String times(double value) {
    return String.format(Locale.ROOT, "%.1f ×", value);
  }

  static String ratio(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  static String percent(double value) {
    double shown = 100 * value;
    return String.format(Locale.ROOT, shown != 0 && shown < 1 ? "%.2f %%" : "%.1f %%", shown);
  }

  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** One decimal, and thousands apart. */
  static String large(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  /** A number that may be of any size, for axes. */
  static String plain(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : String.format(Locale.ROOT, "%.2f", value).replaceAll("0+$", "");
  }
}
