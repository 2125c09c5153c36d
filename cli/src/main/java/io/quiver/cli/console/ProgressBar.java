package io.quiver.cli.console;

import io.quiver.report.Paint;
import java.util.Locale;

/** One line of a progress display, cut to the width of the terminal. */
final class ProgressBar {
  private static final int WIDEST_BAR = 24;
  private static final int NARROWEST_BAR = 6;

  private final String task;
  private final int columns;
  private final Paint paint;
  private final String full;
  private final String empty;

  ProgressBar(String task, Console console) {
    this.task = task;
    this.columns = Math.max(20, console.columns()) - 1;
    this.paint = console.errPaint();
    boolean unicode = speaksUnicode(console);
    this.full = unicode ? "━" : "#";
    this.empty = unicode ? "─" : ".";
  }

  private static boolean speaksUnicode(Console console) {
    for (String variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String locale = console.environment().getOrDefault(variable, "");
      if (!locale.isEmpty()) {
        String upper = locale.toUpperCase(Locale.ROOT);
        return upper.contains("UTF-8") || upper.contains("UTF8");
      }
    }
    return false;
  }

  String task() {
    return task;
  }

  /**
   * Returns the line.
   *
   * @param share how much is done, 0 to 1; negative when unknown, which leaves the bar out
   */
  String line(double share, String figures) {
    if (share < 0) {
      return cut(task + "  " + figures);
    }
    String percent = String.format(Locale.ROOT, "%3.0f %%", 100 * Math.min(1, share));
    int room = columns - task.length() - percent.length() - figures.length() - 6;
    int width = Math.min(WIDEST_BAR, room);
    if (width < NARROWEST_BAR) {
      return cut(task + "  " + percent + "  " + figures);
    }
    int done = (int) Math.floor(Math.min(1, share) * width);
    return task
        + "  "
        + paint.good(full.repeat(done))
        + paint.faint(empty.repeat(width - done))
        + "  "
        + percent
        + "  "
        + figures;
  }

  private String cut(String line) {
    return line.length() <= columns ? line : line.substring(0, columns);
  }
}
