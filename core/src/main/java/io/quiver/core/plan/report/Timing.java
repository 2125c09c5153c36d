package io.quiver.core.plan.report;

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
    if (!(seconds >= 0) || batches < 0 || !(ageSeconds >= 0) || Double.isInfinite(seconds)) {
      throw new IllegalArgumentException(
          seconds + " s an item by " + batches + " batches, " + ageSeconds + " s ago");
    }
  }

  /** Returns true if there is anything. */
  public boolean known() {
    return seconds > 0;
  }
}
