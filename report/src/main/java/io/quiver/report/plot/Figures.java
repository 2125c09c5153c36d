package io.quiver.report.plot;

import java.util.Locale;

/** Numbers as people are shown them, the same in the terminal and on the page. */
public final class Figures {
  private Figures() {}

  /** Seconds. */
  public static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f s", value);
  }

  /** Returns how many times as much. */
  public static String times(double value) {
    return String.format(Locale.ROOT, "%.1f ×", value);
  }

  /** Returns a ratio with three decimals. */
  public static String ratio(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  /** Returns a share in percent. */
  public static String percent(double value) {
    double shown = 100 * value;
    return String.format(Locale.ROOT, shown != 0 && shown < 1 ? "%.2f %%" : "%.1f %%", shown);
  }

  /** Returns a number of things, thousands apart. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Returns one decimal, and thousands apart. */
  public static String large(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  /** Returns a number that may be of any size, for axes. */
  public static String plain(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : String.format(Locale.ROOT, "%.2f", value).replaceAll("0+$", "");
  }
}
