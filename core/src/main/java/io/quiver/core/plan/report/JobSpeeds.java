package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The speeds that a job has measured of itself. An item is one of all its ranks' together.
 *
 * @param hit with the whole data set in the cache
 * @param shared while jobs bring it in together
 * @param miss with everything from the store
 * @param stall which part of the latest batches' time its loop waited for data
 * @param batches how many batches each rank has had
 * @param probed how many of them were supplied otherwise for a probe's sake
 * @param toCome how many are to come in this run; -1 when nobody knows
 * @param leastProbe how many batches a probe needs to tell anything
 * @param lastProbe the last probe it has finished; 0 for none
 */
public record JobSpeeds(
    Timing hit,
    Timing shared,
    Timing miss,
    double stall,
    long batches,
    long probed,
    long toCome,
    int leastProbe,
    long lastProbe) {
  /** Nothing measured, and nothing known of what is to come. */
  public static final JobSpeeds NONE =
      new JobSpeeds(Timing.NONE, Timing.NONE, Timing.NONE, 0, 0, 0, -1, 1, 0);

  /** Most of a job's batches that probes may take. */
  private static final double MOST_PROBED = 0.01;

  /** Refuses what cannot be. */
  public JobSpeeds {
    hit = orNone(hit);
    shared = orNone(shared);
    miss = orNone(miss);
    Bounds.number("stall", stall, 0, 1);
    Bounds.whole("batches", batches, 0, Bounds.MAX_COUNT);
    Bounds.whole("probed", probed, 0, batches);
    Bounds.whole("to_come", toCome, -1, Bounds.MAX_COUNT);
    Bounds.whole("least_probe", leastProbe, 1, Bounds.MAX_BATCHES);
    Bounds.whole("last_probe", lastProbe, 0, Bounds.MAX_COUNT);
  }

  private static Timing orNone(@Nullable Timing timing) {
    return Objects.requireNonNullElse(timing, Timing.NONE);
  }

  /** Returns how many batches more may be probed when a hundredth of all may be. */
  public long probesLeft() {
    long run = batches + Math.max(0, toCome);
    return Math.max(0, (long) Math.floor(run * MOST_PROBED) - probed);
  }

  /** Returns true if this run is too short for a probe to tell anything. */
  public boolean tooShort() {
    return toCome >= 0 && probesLeft() < leastProbe;
  }

  /**
   * Returns what several ranks or processes of a job have measured, each of itself, as what the job
   * has. A probe is over when all of them have finished it.
   *
   * @param ranks how many there are, measured or not
   */
  public static JobSpeeds together(List<JobSpeeds> measured, int ranks) {
    if (measured.isEmpty()) {
      return NONE;
    }
    return new JobSpeeds(
        together(measured, JobSpeeds::hit, ranks),
        together(measured, JobSpeeds::shared, ranks),
        together(measured, JobSpeeds::miss, ranks),
        measured.stream().mapToDouble(JobSpeeds::stall).average().orElse(0),
        measured.stream().mapToLong(JobSpeeds::batches).max().orElse(0),
        measured.stream().mapToLong(JobSpeeds::probed).max().orElse(0),
        measured.stream().mapToLong(JobSpeeds::toCome).max().orElse(-1),
        measured.stream().mapToInt(JobSpeeds::leastProbe).max().orElse(1),
        measured.stream().mapToLong(JobSpeeds::lastProbe).min().orElse(0));
  }

  private static Timing together(
      List<JobSpeeds> measured, Function<JobSpeeds, Timing> which, int ranks) {
    List<Timing> known = measured.stream().map(which).filter(Timing::known).toList();
    return known.isEmpty()
        ? Timing.NONE
        : new Timing(
            Timing.together(known.stream().map(Timing::seconds).toList(), ranks),
            known.stream().mapToInt(Timing::batches).max().orElse(0),
            known.stream().mapToDouble(Timing::ageSeconds).min().orElse(0));
  }
}
