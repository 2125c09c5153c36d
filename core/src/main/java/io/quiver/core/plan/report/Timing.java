package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import java.util.List;

/**
 * The measured time per item of a job in one supply mode, and its basis.
 *
 * @param seconds what was measured, disturbances left out; 0 while nothing was measured
 * @param batches how many batches were timed
 * @param ageSeconds how long ago the last of them was
 */
public record Timing(double seconds, int batches, double ageSeconds) {
  /** Nothing measured. */
  public static final Timing NONE = new Timing(0, 0, 0);

  /** Refuses what cannot be. */
  public Timing {
    Bounds.measured("seconds", seconds);
    Bounds.whole("batches", batches, 0, Bounds.MAX_BATCHES);
    Bounds.number("age_seconds", ageSeconds, 0, Bounds.MAX_SECONDS);
  }

  /** Returns true if there is anything. */
  public boolean known() {
    return seconds > 0;
  }

  /**
   * Returns the time of an item of several readers together, whose rate is the sum of their rates.
   * Those whose time is unknown, 0, are taken to be as fast as the others.
   *
   * @param seconds the time of an item of each reader
   * @param readers how many there are, known or not
   */
  static double together(List<Double> seconds, int readers) {
    double rates = 0;
    int known = 0;
    for (double each : seconds) {
      rates += each > 0 ? 1 / each : 0;
      known += each > 0 ? 1 : 0;
    }
    return known == 0 ? 0 : Math.max(Bounds.MIN_SECONDS, known / rates / readers);
  }
}
