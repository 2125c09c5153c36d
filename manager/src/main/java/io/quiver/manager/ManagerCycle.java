package io.quiver.manager;

import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.Planner;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.stream.JointRecognition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the manager's cycle: records reports, drops silent members, plans. Called by one thread at a
 * time, with the time passed in; a simulator calls it the same way.
 */
public final class ManagerCycle {
  private static final int MAX_JOBS = 50_000;
  private static final int MAX_DOORS = 10_000;

  /** Reports take at most this part of the memory. */
  private static final long REPORT_BYTES = Runtime.getRuntime().maxMemory() / 4;

  /** Reports of doors take at most so many bytes: about 100,000 streams, told by all doors. */
  private static final long DOOR_BYTES = 64L << 20;

  /**
   * A plan may be ahead of this manager's clock by so many milliseconds: the clock of the manager
   * before may have been wrong. Further ahead nobody is, and versions would run out.
   */
  private static final long MAX_AHEAD = Duration.ofDays(366).toMillis();

  private final ManagerConfig config;
  private final IsolatedPlanning planning;
  private final ReportBook<JobReport> jobs;
  private final ReportBook<ServerReport> servers;
  private final ReportBook<DoorReport> doors;
  private final JointRecognition streams = new JointRecognition();
  // The member of each group, and the job of each data set, that reported last.
  private final Map<String, String> latestMembers = new HashMap<>();
  private final Map<DatasetKey, String> latestReaders = new HashMap<>();
  private final long latestVersion;
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
    this(config, version, step(config));
  }

  /** A manager that plans by another step, for tests of what happens when planning fails. */
  ManagerCycle(ManagerConfig config, long version, IsolatedPlanning.Step step) {
    this.config = config;
    this.planning = new IsolatedPlanning(step);
    this.jobs =
        new ReportBook<>("jobs", MAX_JOBS, REPORT_BYTES, config.jobLease(), ManagerCycle::size);
    this.servers =
        new ReportBook<>(
            "servers",
            SlotTable.MAX_MEMBERS,
            REPORT_BYTES,
            config.serverLease(),
            ManagerCycle::size);
    this.doors =
        new ReportBook<>(
            "doors",
            MAX_DOORS,
            Math.min(DOOR_BYTES, REPORT_BYTES),
            config.jobLease(),
            ManagerCycle::size);
    this.plan = Plan.empty(version);
    this.latestVersion = version + MAX_AHEAD;
    this.settledAt = Long.MIN_VALUE;
    this.preferences = config.preferences();
  }

  private static IsolatedPlanning.Step step(ManagerConfig config) {
    Planner planner = new Planner(config.planner());
    return (before, observed) -> planner.next(before, observed, config.budgetBytes());
  }

  /** Returns about how many bytes a report takes: those of its lists, and a few for the rest. */
  private static long size(JobReport report) {
    DatasetPlan held = report.held();
    int planned = held == null ? 0 : held.held().size();
    return 500
        + 4L * report.chunks()
        + 40L * report.loaded().size()
        + 40L * planned
        + 300L * report.scores().size();
  }

  private static long size(ServerReport report) {
    return 500 + 150L * report.spaces().size();
  }

  private static long size(DoorReport report) {
    long labels = report.streams().stream().mapToLong(each -> each.label().length()).sum();
    return 500 + 500L * report.streams().size() + 2 * labels;
  }

  /**
   * Notes a job's report.
   *
   * @throws Refused when it contradicts what others report; nothing has changed then
   */
  public void note(JobReport report, long now) throws Refused {
    requireVersion(report.planVersion());
    Observed<JobReport> before = jobs.get(report.job());
    boolean same = before != null && before.report().instance().equals(report.instance());
    if (before != null && !same && now - before.at() < config.jobLease().toNanos()) {
      throw new Refused(
          Refused.Reason.NAME_TAKEN,
          "another job named %s is running%s (it reported %d ms ago); give this one another name, or wait %d s if that one was killed"
              .formatted(
                  report.job(),
                  before.report().dataset().equals(report.dataset()) ? "" : " on another data set",
                  Duration.ofNanos(now - before.at()).toMillis(),
                  config.jobLease().toSeconds()));
    }
    requireAgreement(report);
    if (report.leaving()) {
      jobs.remove(report.job());
    } else if (before == null || !same || before.report().sequence() < report.sequence()) {
      jobs.put(report.job(), report, now);
      awaitOthers(report, now);
      latestMembers.put(report.group(), report.job());
      latestReaders.put(report.dataset(), report.job());
    }
  }

  private void requireVersion(long version) throws Refused {
    long most = Math.max(plan.version(), latestVersion);
    if (version > most) {
      throw new Refused(
          Refused.Reason.INVALID,
          "plan_version is %d; this manager's plan is %d, and none can be later than %d"
              .formatted(version, plan.version(), most));
    }
  }

  /** Refuses a report that contradicts another of its group, or of its data set. */
  private void requireAgreement(JobReport report) throws Refused {
    JobReport member = other(latestMembers.getOrDefault(report.group(), ""), report);
    if (member != null
        && member.group().equals(report.group())
        && !(member.dataset().equals(report.dataset()) && sameSize(member, report))) {
      throw new Refused(
          Refused.Reason.NAME_TAKEN,
          "job %s reads data set %s, and job %s of the same group, %s, reads %s; all processes of a distributed job read one data set: give this one another group"
              .formatted(
                  report.job(), report.dataset(), member.job(), report.group(), member.dataset()));
    }
    JobReport reader = other(latestReaders.getOrDefault(report.dataset(), ""), report);
    if (reader != null && reader.dataset().equals(report.dataset()) && !sameSize(reader, report)) {
      throw new Refused(
          Refused.Reason.NAME_TAKEN,
          "dataset %s has %d items and %d bytes according to job %s, but %d items and %d bytes according to job %s; make its digest anew"
              .formatted(
                  report.dataset(),
                  reader.items(),
                  reader.bytes(),
                  reader.job(),
                  report.items(),
                  report.bytes(),
                  report.job()));
    }
    DatasetState state = plan.states().get(report.dataset());
    if (reader == null
        && state != null
        && !(state.items() == report.items() && state.bytes() == report.bytes())) {
      // Nobody reads what is left there, and the one who comes counts otherwise.
      plan = plan.without(Set.of(report.dataset()));
    }
  }

  private @Nullable JobReport other(String name, JobReport than) {
    Observed<JobReport> other = name.equals(than.job()) ? null : jobs.get(name);
    return other == null ? null : other.report();
  }

  private static boolean sameSize(JobReport one, JobReport other) {
    return one.items() == other.items() && one.bytes() == other.bytes();
  }

  /** A job that follows another manager's plan: its companions will report soon, too. */
  private void awaitOthers(JobReport report, long now) {
    if (!plan.knows(report.dataset()) && report.held() != null && settledAt == Long.MIN_VALUE) {
      settledAt = now + config.grace().toNanos();
    }
  }

  /**
   * Notes a server's report. Another instance takes a name over once the one before has been silent
   * for half its lease: a server that was killed and started again keeps its slots.
   *
   * @throws Refused when another server has that name
   */
  public void note(ServerReport report, long now) throws Refused {
    requireVersion(report.planVersion());
    Observed<ServerReport> before = servers.get(report.server());
    if (before != null
        && !before.report().instance().equals(report.instance())
        && now - before.at() < config.serverLease().toNanos() / 2) {
      throw new Refused(
          Refused.Reason.NAME_TAKEN,
          "another server named %s is running at %s (it reported %d ms ago); give this one another name"
              .formatted(
                  report.server(),
                  before.report().uri(),
                  Duration.ofNanos(now - before.at()).toMillis()));
    }
    if (report.leaving()) {
      servers.remove(report.server());
    } else {
      servers.put(report.server(), report, now);
    }
  }

  /**
   * Notes a door's report.
   *
   * @throws Refused when another door has that name
   */
  public void note(DoorReport report, long now) throws Refused {
    requireVersion(report.planVersion());
    Observed<DoorReport> before = doors.get(report.door());
    boolean same = before != null && before.report().instance().equals(report.instance());
    if (before != null && !same && now - before.at() < config.jobLease().toNanos()) {
      throw new Refused(
          Refused.Reason.NAME_TAKEN,
          "another door named %s is running (it reported %d ms ago); give this one another name, or wait %d s if that one was killed"
              .formatted(
                  report.door(),
                  Duration.ofNanos(now - before.at()).toMillis(),
                  config.jobLease().toSeconds()));
    }
    if (report.leaving()) {
      doors.remove(report.door());
    } else if (before == null || !same || before.report().sequence() < report.sequence()) {
      doors.put(report.door(), report.withoutReads(), now);
      streams.note(report, now);
      boolean alone = jobs.names().isEmpty() && doors.names().size() == 1;
      if (alone
          && plan.doors() == null
          && report.planVersion() > 0
          && settledAt == Long.MIN_VALUE) {
        // It follows another manager's plan: jobs that do will report soon, too.
        settledAt = now + config.grace().toNanos();
      }
    }
  }

  /** Returns true if it still listens for the jobs and servers of the manager before it. */
  public boolean isSettling(long now) {
    return settledAt != Long.MIN_VALUE && now < settledAt;
  }

  /** Returns the plan that follows from everything noted. */
  public Plan plan(long now) {
    jobs.forgetSilent(now);
    servers.forgetSilent(now);
    doors.forgetSilent(now);
    if (latestMembers.size() + latestReaders.size() > 2 * jobs.names().size()) {
      latestMembers.values().retainAll(jobs.names());
      latestReaders.values().retainAll(jobs.names());
    }
    if (!isSettling(now)) {
      seen =
          new Observations(
              jobs.all(), servers.all(), now, preferences, streams.agreed(doors.all(), now));
      plan = planning.next(plan, seen);
    }
    return plan;
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
    return jobs.reports();
  }

  /** Returns the latest reports of all doors. */
  public List<DoorReport> doors() {
    return doors.reports();
  }

  /** Returns the latest reports of all servers. */
  public List<ServerReport> servers() {
    return servers.reports();
  }
}
