package io.quiver.benchmarks.section;

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
public record Finding(
    String name,
    double value,
    String unit,
    @Nullable String beside,
    @Nullable Double besideValue,
    @Nullable Double target,
    boolean atLeast) {

  /** A figure that stands alone. */
  public static Finding plain(String name, double value, String unit) {
    return new Finding(name, value, unit, null, null, null, true);
  }

  /** A figure with an upper bound. */
  public static Finding atMost(String name, double value, String unit, double target) {
    return new Finding(name, value, unit, null, null, target, false);
  }

  /** A figure whose ratio to another shall reach a target. */
  public static Finding ratioAtLeast(
      String name, double value, String unit, String beside, double besideValue, double target) {
    return new Finding(name, value, unit, beside, besideValue, target, true);
  }

  /** A figure whose ratio to another shall stay below a target, or is only shown. */
  public static Finding ratioAtMost(
      String name,
      double value,
      String unit,
      String beside,
      double besideValue,
      @Nullable Double target) {
    return new Finding(name, value, unit, beside, besideValue, target, false);
  }

  /** What the target is about: the ratio where there is something beside, else the figure. */
  public double judged() {
    return besideValue == null ? value : value / besideValue;
  }

  /** Whether the target was reached; null without a target. */
  public @Nullable Boolean passed() {
    return target == null ? null : atLeast ? judged() >= target : judged() <= target;
  }
}
