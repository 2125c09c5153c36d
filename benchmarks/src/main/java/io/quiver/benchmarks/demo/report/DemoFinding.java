package io.quiver.benchmarks.demo.report;

import io.quiver.report.plot.Figures;

/**
 * One thing that was expected, and what came out.
 *
 * @param what in words
 * @param measured what came out
 * @param bound what it should be at most, or at least
 * @param atLeast whether more is better
 * @param met whether it is
 */
public record DemoFinding(
    String what, double measured, double bound, boolean atLeast, boolean met) {
  /** Something that should be small. */
  static DemoFinding atMost(double bound, double measured, String what) {
    return new DemoFinding(what, measured, bound, false, measured <= bound);
  }

  /** Something that should be large. */
  static DemoFinding atLeast(double bound, double measured, String what) {
    return new DemoFinding(what, measured, bound, true, measured >= bound);
  }

  /** Returns the bound in words. */
  String target() {
    return (atLeast ? "≥ " : "≤ ") + Figures.ratio(bound);
  }
}
