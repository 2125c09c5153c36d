package io.quiver.core.plan;

import io.quiver.core.order.RingRole;
import io.quiver.core.plan.chunk.ChunkCounts;
import io.quiver.core.plan.chunk.RingReader;
import io.quiver.core.plan.probe.ProbeBook;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Decides which jobs of a data set lead the ring: those about as fast as the fastest. Slower ones
 * would lease chunks for so long that everybody waits; they follow instead.
 */
final class RingRoles {
  private final PlannerConfig.LeaderRules rules;

  RingRoles(PlannerConfig.LeaderRules rules) {
    this.rules = rules;
  }

  /**
   * Returns the jobs with their roles.
   *
   * @param before the roles so far; a job keeps its role within a margin
   * @param probes what jobs are asked to try out
   */
  List<RingReader> judge(
      List<Observed<JobReport>> jobs, Map<String, RingRole> before, ProbeBook probes, long now) {
    double fastest =
        jobs.stream()
            .mapToDouble(job -> job.report().itemSeconds())
            .filter(seconds -> seconds > 0)
            .min()
            .orElse(0);
    List<RingReader> readers = new ArrayList<>();
    for (Observed<JobReport> job : jobs) {
      JobReport report = job.report();
      boolean led = before.get(report.job()) == RingRole.LEADER;
      double bound = fastest * (led ? rules.leave() : rules.tolerance());
      RingRole role = report.itemSeconds() <= bound ? RingRole.LEADER : RingRole.FOLLOWER;
      boolean probed = probes.of(report.job(), report.traits().store()) != null;
      readers.add(reader(report, role, isAtWork(job, now) && !probed));
    }
    return readers;
  }

  private static RingReader reader(JobReport report, RingRole role, boolean atWork) {
    return new RingReader(
        report.job(),
        report.epoch(),
        report.lastEpoch(),
        report.warming(),
        role,
        atWork,
        ChunkCounts.copyOf(report.remaining()),
        report.loaded());
  }

  /**
   * Returns false for a job in a pause and for one that has fallen silent: they hold nothing up.
   * Nor does a job that is being probed, which reads more slowly than it would; afterwards it reads
   * elsewhere what it missed of chunks that others had finished, or all would wait for it.
   */
  private boolean isAtWork(Observed<JobReport> job, long now) {
    JobReport report = job.report();
    Duration silent = Duration.ofNanos(now - job.at());
    double batches = rules.idleBatches() * report.batch() * report.itemSeconds();
    double bound = Math.max(batches, rules.minIdle().toNanos() / 1e9);
    return report.idleSeconds() <= bound && silent.compareTo(rules.silence()) <= 0;
  }
}
