package io.quiver.report;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spans of time as people write them. */
public final class TimeSpan {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9}) *(ms|s|m|min|h)");

  private TimeSpan() {}

  /**
   * Returns the duration meant by, for example, {@code 500ms}, {@code 30s}, {@code 5m} or {@code
   * 1h}.
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a span of time: \"" + text + "\"; write for example 500ms, 30s or 5m");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofMinutes(number);
    };
  }

  /** Returns a span in at most two units: {@code 42 s}, {@code 3 min 5 s}, {@code 2 h 10 min}. */
  public static String show(double seconds) {
    long whole = Math.round(seconds);
    if (whole < 60) {
      return whole + " s";
    }
    if (whole < 3600) {
      return whole / 60 + " min " + whole % 60 + " s";
    }
    return whole / 3600 + " h " + whole % 3600 / 60 + " min";
  }
}
