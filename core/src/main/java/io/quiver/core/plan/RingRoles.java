package io.quiver.core.plan;

import io.quiver.core.order.RingRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which jobs of a data set set the pace: those about as fast as the fastest. Slower ones would hold
 * chunks for so long that everybody waits; they ride along instead.
 */
final class RingRoles {
  private final PlannerConfig config;

  RingRoles(PlannerConfig config) {
    this.config = config;
  }

  /**
   * The jobs with their ringRoles.
   *
   * @param before the ringRoles so far; a job keeps its ringRole within a margin
   * @param probes what jobs are asked to try out
   */
  List<Worker> judge(
      List<Observed<JobReport>> jobs, Map<String, RingRole> before, ProbeBook probes, long now) {
    double fastest =
        jobs.stream()
            .mapToDouble(job -> job.report().itemSeconds())
            .filter(seconds -> seconds > 0)
            .min()
            .orElse(0);
    List<Worker> workers = new ArrayList<>();
    for (Observed<JobReport> job : jobs) {
      JobReport report = job.report();
      boolean set = before.get(report.job()) == RingRole.LEADER;
      double bound = fastest * (set ? config.paceLeave() : config.paceTolerance());
      RingRole ringRole = report.itemSeconds() <= bound ? RingRole.LEADER : RingRole.FOLLOWER;
      boolean probed = probes.of(report.job(), report.traits().store()) != null;
      workers.add(new Worker(report, ringRole, isAtWork(job, now) && !probed));
    }
    return workers;
  }

  /**
   * A job in a pause, or one that has fallen silent, holds nothing up. Nor does one that is being
   * probed: it reads more slowly than it would, and afterwards has to read elsewhere what it missed
   * of chunks that others had finished, or all would wait for it to the end of the epoch.
   */
  private boolean isAtWork(Observed<JobReport> job, long now) {
    JobReport report = job.report();
    Duration silent = Duration.ofNanos(now - job.at());
    double batches = config.idleBatches() * report.batch() * report.itemSeconds();
    double bound = Math.max(batches, config.minIdle().toNanos() / 1e9);
    return report.idleSeconds() <= bound && silent.compareTo(config.silence()) <= 0;
  }
}
