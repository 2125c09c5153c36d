package io.quiver.report;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes as people write and read it.
 *
 * @param bytes the number itself
 */
public record ByteSize(long bytes) {
  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?) *([a-z]*)", Pattern.CASE_INSENSITIVE);

  private static final Map<String, Long> UNITS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("kb", 1_000L),
          Map.entry("mb", 1_000_000L),
          Map.entry("gb", 1_000_000_000L),
          Map.entry("tb", 1_000_000_000_000L),
          Map.entry("k", 1L << 10),
          Map.entry("m", 1L << 20),
          Map.entry("g", 1L << 30),
          Map.entry("t", 1L << 40),
          Map.entry("kib", 1L << 10),
          Map.entry("mib", 1L << 20),
          Map.entry("gib", 1L << 30),
          Map.entry("tib", 1L << 40));

  private static final String[] NAMES = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  /**
   * Returns the bytes meant by, for example, {@code 200GB}, {@code 1.5 TiB}, {@code 64k} or {@code
   * 0}.
   */
  public static ByteSize parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    Long unit = matcher.matches() ? UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null) {
      throw new IllegalArgumentException(
          "not a size: \"" + text + "\"; write for example 200GB, 1.5TiB or 64k");
    }
    BigDecimal bytes = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException("a size of " + text + " is more than any disk holds");
    }
    return new ByteSize(bytes.longValue());
  }

  /** Three significant digits and a decimal unit: {@code 0 B}, {@code 999 B}, {@code 1.50 GB}. */
  public static String show(long bytes) {
    double rest = (double) bytes;
    int unit = 0;
    while (rest >= 999.5 && unit < NAMES.length - 1) {
      rest /= 1000;
      unit++;
    }
    int digits = unit == 0 || rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + digits + "f %s", rest, NAMES[unit]);
  }
}
