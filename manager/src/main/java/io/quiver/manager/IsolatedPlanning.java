package io.quiver.manager;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans without the data sets, servers and doors that make the planner fail, so that one of them
 * never stops the others. Reports are checked where they are read; this is for what a check has
 * missed.
 */
final class IsolatedPlanning {
  private static final Logger LOG = LoggerFactory.getLogger(IsolatedPlanning.class);

  /** Makes the plan that follows from a plan and observations. */
  @FunctionalInterface
  interface Step {
    Plan next(Plan before, Observations seen);
  }

  private final Step step;
  private Set<String> lastFailed = Set.of();

  IsolatedPlanning(Step step) {
    this.step = step;
  }

  /**
   * Returns the plan that follows. When the planner fails, tries every server, every door and every
   * data set alone and leaves out those it fails with.
   */
  Plan next(Plan before, Observations seen) {
    try {
      Plan plan = step.next(before, seen);
      lastFailed = Set.of();
      return plan;
    } catch (RuntimeException e) {
      Set<String> badServers = badServers(seen);
      Set<String> badDoors = badDoors(seen);
      Observations sound =
          without(seen, badServers, Set.of())
              .withDoors(
                  seen.doors().stream()
                      .filter(door -> !badDoors.contains(door.report().door()))
                      .toList());
      Set<DatasetKey> badDatasets = badDatasets(before, sound);
      say(e, badServers, badDoors, badDatasets);
      return step.next(before.without(badDatasets), without(sound, Set.of(), badDatasets));
    }
  }

  private void say(
      RuntimeException e, Set<String> servers, Set<String> doors, Set<DatasetKey> datasets) {
    Set<String> failed =
        Stream.of(servers.stream(), doors.stream(), datasets.stream().map(DatasetKey::text))
            .flatMap(names -> names)
            .collect(Collectors.toSet());
    if (!failed.equals(lastFailed)) {
      LOG.error("planning fails for {}; the others are planned without them", failed, e);
    }
    lastFailed = failed;
  }

  private Set<String> badServers(Observations seen) {
    Set<String> bad = new TreeSet<>();
    for (Observed<ServerReport> server : seen.servers()) {
      if (fails(
          Plan.empty(1),
          new Observations(List.of(), List.of(server), seen.now(), seen.preferences()))) {
        bad.add(server.report().server());
      }
    }
    return bad;
  }

  private Set<String> badDoors(Observations seen) {
    Set<String> bad = new TreeSet<>();
    for (Observed<DoorReport> door : seen.doors()) {
      Observations alone = new Observations(List.of(), List.of(), seen.now(), seen.preferences());
      if (fails(Plan.empty(1), alone.withDoors(List.of(door)))) {
        bad.add(door.report().door());
      }
    }
    return bad;
  }

  private Set<DatasetKey> badDatasets(Plan before, Observations seen) {
    Set<DatasetKey> all = new TreeSet<>(before.states().keySet());
    seen.jobs().forEach(job -> all.add(job.report().dataset()));
    Set<DatasetKey> bad = new TreeSet<>();
    for (DatasetKey each : all) {
      Set<DatasetKey> others = new TreeSet<>(all);
      others.remove(each);
      if (fails(before.without(others), without(seen, Set.of(), others))) {
        bad.add(each);
      }
    }
    return bad;
  }

  private boolean fails(Plan before, Observations seen) {
    try {
      Plan _ = step.next(before, seen);
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  private static Observations without(
      Observations seen, Set<String> servers, Set<DatasetKey> datasets) {
    List<Observed<JobReport>> jobs =
        seen.jobs().stream().filter(job -> !datasets.contains(job.report().dataset())).toList();
    List<Observed<ServerReport>> others =
        seen.servers().stream()
            .filter(server -> !servers.contains(server.report().server()))
            .toList();
    return new Observations(jobs, others, seen.now(), seen.preferences(), seen.doors());
  }
}
