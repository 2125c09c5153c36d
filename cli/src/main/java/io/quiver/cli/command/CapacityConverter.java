package io.quiver.cli.command;

import io.quiver.node.Capacity;
import io.quiver.report.ByteSize;

/** Reads a capacity as people write it: {@code 200GB} or {@code 20%}. */
public final class CapacityConverter {
  private CapacityConverter() {}

  /**
   * Reads a capacity.
   *
   * @throws IllegalArgumentException if the text is no size and no percentage; the message says
   *     what to write
   */
  public static Capacity parse(String text) {
    String trimmed = text.strip();
    if (trimmed.endsWith("%")) {
      double percent = percent(trimmed);
      if (!(percent > 0 && percent <= 100)) {
        throw new IllegalArgumentException(
            "not a share of the disk: \"" + text + "\"; write more than 0% and at most 100%");
      }
      return new Capacity.Share(percent, Long.MAX_VALUE);
    }
    long bytes = ByteSize.parse(trimmed).bytes();
    if (bytes == 0) {
      throw new IllegalArgumentException("a capacity of 0 holds nothing; write for example 20GB");
    }
    return new Capacity.Absolute(bytes);
  }

  private static double percent(String text) {
    try {
      return Double.parseDouble(text.substring(0, text.length() - 1).strip());
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
