package io.quiver.benchmarks.section;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One measured figure and what it is judged by.
 *
 * @param name what was measured, for example {@code batch get 20 KB}
 * @param value the figure
 * @param unit its unit, for example {@code GB/s}
 * @param beside what it is compared with, in words; null where it stands alone
 * @param besideValue the figure it is compared with, in the same unit
 * @param target what {@link #judged()} shall be; null where there is none
 * @param atLeast whether the target is a lower bound (else an upper one)
 */
public record Measurement(
    String name,
    double value,
    String unit,
    @Nullable String beside,
    @Nullable Double besideValue,
    @Nullable Double target,
    boolean atLeast) {

  /** Returns a figure that stands alone. */
  public static Measurement plain(String name, double value, String unit) {
    return new Measurement(name, value, unit, null, null, null, true);
  }

  /** Returns a figure with an upper bound. */
  public static Measurement atMost(String name, double value, String unit, double target) {
    return new Measurement(name, value, unit, null, null, target, false);
  }

  /** Returns a figure with a lower bound. */
  public static Measurement atLeast(String name, double value, String unit, double target) {
    return new Measurement(name, value, unit, null, null, target, true);
  }

  /** Returns a figure whose ratio to another shall reach a target. */
  public static Measurement ratioAtLeast(
      String name, double value, String unit, String beside, double besideValue, double target) {
    return new Measurement(name, value, unit, beside, besideValue, target, true);
  }

  /** Returns a figure whose ratio to another shall stay below a target, or is only shown. */
  public static Measurement ratioAtMost(
      String name,
      double value,
      String unit,
      String beside,
      double besideValue,
      @Nullable Double target) {
    return new Measurement(name, value, unit, beside, besideValue, target, false);
  }

  /**
   * Returns the figure that the target is about: the ratio if there is a peer, else the figure
   * itself.
   */
  public double judged() {
    return besideValue == null ? value : value / besideValue;
  }

  /** Returns whether the target was reached; null without a target. */
  public @Nullable Boolean passed() {
    return target == null ? null : atLeast ? judged() >= target : judged() <= target;
  }

  /** The middle of a few measurements. */
  static final class Median {
    private Median() {}

    static double of(List<Double> values) {
      double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
      Arrays.sort(sorted);
      int middle = sorted.length / 2;
      return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
  }
}
