package io.quiver.manager;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.Planner;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the manager's cycle: records reports, drops silent members, plans. Called by one thread at a
 * time, with the time passed in; a simulator calls it the same way.
 */
public final class ManagerCycle {
  private final ManagerConfig config;
  private final Planner planner;
  private final Map<String, Observed<JobReport>> jobs = new HashMap<>();
  private final Map<String, Observed<ServerReport>> servers = new HashMap<>();
  // The member of each group that reported last.
  private final Map<String, String> latestMembers = new HashMap<>();
  private Plan plan;
  private Observations seen = new Observations(List.of(), List.of(), 0);
  private long settledAt;
  private CachePreferences preferences;

  /**
   * A manager that knows nothing yet.
   *
   * @param version larger than that of any plan before: milliseconds since 1970 serve
   */
  public ManagerCycle(ManagerConfig config, long version) {
    this.config = config;
    this.planner = new Planner(config.planner());
    this.plan = Plan.empty(version);
    this.settledAt = Long.MIN_VALUE;
    this.preferences = config.preferences();
  }

  /** Notes a job's report; returns why it is refused, or null. */
  public @Nullable String note(JobReport report, long now) {
    Observed<JobReport> before = jobs.get(report.job());
    if (before != null && !before.report().instance().equals(report.instance())) {
      Duration silent = Duration.ofNanos(now - before.at());
      if (silent.compareTo(config.jobLease()) < 0) {
        return "another job named "
            + report.job()
            + " is running"
            + (before.report().dataset().equals(report.dataset()) ? "" : " on another data set")
            + " (it reported "
            + silent.toMillis()
            + " ms ago); give this one another name, or wait "
            + config.jobLease().toSeconds()
            + " s if that one was killed";
      }
    }
    String disagreement = disagreement(report);
    if (disagreement != null) {
      return disagreement;
    }
    boolean overtaken =
        before != null
            && before.report().instance().equals(report.instance())
            && before.report().sequence() >= report.sequence();
    if (report.leaving()) {
      jobs.remove(report.job());
    } else if (!overtaken) {
      awaitOthers(report, now);
      jobs.put(report.job(), new Observed<>(report, now));
      latestMembers.put(report.group(), report.job());
    }
    return null;
  }

  /** Returns why a report contradicts another of its group, or null. */
  private @Nullable String disagreement(JobReport report) {
    Observed<JobReport> latest = jobs.get(latestMembers.getOrDefault(report.group(), ""));
    if (latest == null || latest.report().job().equals(report.job())) {
      return null;
    }
    JobReport other = latest.report();
    boolean agrees =
        !other.group().equals(report.group())
            || (other.dataset().equals(report.dataset())
                && other.items() == report.items()
                && other.bytes() == report.bytes());
    return agrees
        ? null
        : String.format(
            "job %s reads data set %s, and job %s of the same group, %s, reads %s; "
                + "all processes of a distributed job read one data set: give this one another group",
            report.job(), report.dataset(), other.job(), report.group(), other.dataset());
  }

  /** A job that follows another manager's plan: its companions will report soon, too. */
  private void awaitOthers(JobReport report, long now) {
    if (!plan.knows(report.dataset()) && report.held() != null && settledAt == Long.MIN_VALUE) {
      settledAt = now + config.grace().toNanos();
    }
  }

  /** Notes a server's report. */
  public void note(ServerReport report, long now) {
    if (report.leaving()) {
      servers.remove(report.server());
    } else {
      servers.put(report.server(), new Observed<>(report, now));
    }
  }

  /** Returns true if it still listens for the jobs and servers of the manager before it. */
  public boolean isSettling(long now) {
    return settledAt != Long.MIN_VALUE && now < settledAt;
  }

  /** Returns the plan that follows from everything noted. */
  public Plan plan(long now) {
    forget(jobs, config.jobLease(), now);
    forget(servers, config.serverLease(), now);
    if (latestMembers.size() > jobs.size()) {
      latestMembers.values().retainAll(jobs.keySet());
    }
    if (!isSettling(now)) {
      seen =
          new Observations(
              List.copyOf(jobs.values()), List.copyOf(servers.values()), now, preferences);
      plan = planner.next(plan, seen, config.budgetBytes());
    }
    return plan;
  }

  private static <T> void forget(Map<String, Observed<T>> reports, Duration lease, long now) {
    reports.values().removeIf(report -> now - report.at() > lease.toNanos());
  }

  /** Notes that people want something else from now on. */
  public void note(CachePreferences others) {
    preferences = others;
  }

  /** Returns the operators' preferences. */
  public CachePreferences preferences() {
    return preferences;
  }

  /** Returns the observations from which the latest plan followed. */
  public Observations seen() {
    return seen;
  }

  /** Returns the latest report of a job, or null. */
  public @Nullable JobReport job(String name) {
    Observed<JobReport> report = jobs.get(name);
    return report == null ? null : report.report();
  }

  /** Returns the latest reports of all jobs. */
  public List<JobReport> jobs() {
    return jobs.values().stream().map(Observed::report).toList();
  }

  /** Returns the latest reports of all servers. */
  public List<ServerReport> servers() {
    return servers.values().stream().map(Observed::report).toList();
  }
}
