package io.quiver.core.plan.probe;

import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.Timing;
import java.util.Optional;

/** Estimates a job's speed with and without the cache from its reports. */
public final class MeasuredJob {
  /** A job that takes this much longer than with hits is held up by the store. */
  private static final double HELD_UP = 1.05;

  /** The shortest measurement that counts; a shorter one is noise. */
  static final double LEAST_SECONDS = 2;

  private MeasuredJob() {}

  /** Returns true if a measurement took long enough to go by. */
  public static boolean tells(Timing timing, JobReport report) {
    return timing.seconds() * timing.batches() * report.batch() >= LEAST_SECONDS;
  }

  /**
   * Returns its speeds; empty until they are known. A job whose data set was never whole in the
   * cache is taken to be as fast with hits as its loop works.
   *
   * @param missSeconds time of an item from the store; 0 while unknown
   * @param pinnedShare which part of the data set is pinned while jobs share the rest
   */
  public static Optional<JobSpeed> speed(JobReport report, double missSeconds, double pinnedShare) {
    JobSpeeds speeds = report.speeds();
    double hit = tells(speeds.hit(), report) ? speeds.hit().seconds() : report.itemSeconds();
    if (hit <= 0 || missSeconds <= 0 || report.warming()) {
      return Optional.empty();
    }
    double shared = speeds.shared().seconds();
    double unpinned = 1 - pinnedShare;
    boolean heldUp = shared > HELD_UP * hit && unpinned > 0;
    return Optional.of(
        new JobSpeed(
            report.job(),
            report.traits().gpus(),
            hit,
            missSeconds,
            heldUp ? shared / unpinned : 0,
            false));
  }
}
