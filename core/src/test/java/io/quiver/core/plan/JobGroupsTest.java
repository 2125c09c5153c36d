package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.probe.Probe;
import io.quiver.core.plan.report.JobGroups;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.Timing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks that the processes of a distributed job are planned for as one job. */
class JobGroupsTest {
  private static final DatasetKey KEY = Cluster.key(1);
  private static final int ITEMS = 15_000;
  private static final long BYTES = 15_000_000;
  private static final long SECOND = 1_000_000_000;

  private final Planner planner = new Planner(PlannerConfig.DEFAULT);
  private final Set<Probe> probes = new HashSet<>();
  private final Set<String> probed = new HashSet<>();
  private Plan plan = Plan.empty(1);
  private long now;

  private static JobReport.Builder member(String name, String group) {
    return JobReport.of(name, name, KEY, ITEMS, BYTES, 10)
        .group(group)
        .traits(new JobTraits("", 2, "store"));
  }

  private static JobReport merged(JobReport... members) {
    List<Observed<JobReport>> jobs = new ArrayList<>();
    for (JobReport member : members) {
      jobs.add(new Observed<>(member, 5));
    }
    List<Observed<JobReport>> merged = JobGroups.merge(jobs);
    assertThat(merged).hasSize(1);
    return merged.getFirst().report();
  }

  @Test
  void countsAndRatesAreAddedAndTheSlowestMemberSaysHowFarTheyAre() {
    ChunkGeneration first = new ChunkGeneration(0, 7);
    ChunkGeneration second = new ChunkGeneration(1, 8);
    JobReport job =
        merged(
            member("a.r1", "a")
                .epoch(3, true)
                .remaining(List.of(5, 6))
                .loaded(List.of(first))
                .times(0.004, 9)
                .following(12, null)
                .build(),
            member("a.r0", "a")
                .epoch(2, false)
                .remaining(List.of(1, 0))
                .loaded(List.of(first, second))
                .times(0.002, 1)
                .following(11, null)
                .warming(true)
                .build());
    assertThat(job.job()).isEqualTo("a");
    assertThat(job.batch()).isEqualTo(20);
    assertThat(job.traits().gpus()).isEqualTo(4);
    assertThat(job.epoch()).isEqualTo(2);
    assertThat(job.lastEpoch()).isFalse();
    assertThat(job.remaining()).as("one is in a later epoch").containsExactly(1, 0);
    assertThat(job.loaded()).containsExactlyInAnyOrder(first, second);
    assertThat(1 / job.itemSeconds()).isCloseTo(250 + 500, within(1e-6));
    assertThat(job.idleSeconds()).isEqualTo(1);
    assertThat(job.planVersion()).isEqualTo(12);
    assertThat(job.warming()).isFalse();
  }

  @Test
  void theDivisionIsUnknownWhileItIsToOneMember() {
    JobReport knows = member("a.r0", "a").remaining(List.of(5, 6)).build();
    assertThat(merged(knows, member("a.r1", "a").build()).chunks()).isZero();
    JobReport both = merged(knows, member("a.r1", "a").remaining(List.of(2, 2)).build());
    assertThat(both.remaining()).containsExactly(7, 8);
  }

  @Test
  void aProbeIsOverWhenAllHaveFinishedIt() {
    JobReport job =
        merged(
            member("a.r0", "a").speeds(speeds(0.002, 9)).build(),
            member("a.r1", "a").speeds(speeds(0.004, 4)).build(),
            member("a.r2", "a").build());
    assertThat(job.speeds().lastProbe()).isZero();
    assertThat(1 / job.speeds().hit().seconds())
        .as("the third is taken to be as fast as the others")
        .isCloseTo(1.5 * (500 + 250), within(1e-6));
  }

  private static JobSpeeds speeds(double hit, long lastProbe) {
    return new JobSpeeds(
        new Timing(hit, 1000, 1), Timing.NONE, Timing.NONE, 0, 10_000, 0, -1, 12, lastProbe);
  }

  @Test
  void namesOfGroupsAreChecked() {
    assertThat(member("a", "").build().group()).isEqualTo("a");
    assertThatThrownBy(() -> member("a", "two words").build()).hasMessageContaining("group");
  }

  /** Plans every second for these processes, which find whole what is loading. */
  private void run(Map<String, String> groups, int seconds) {
    for (int i = 0; i < seconds; i++) {
      now += SECOND;
      List<Observed<JobReport>> reports = new ArrayList<>();
      groups.forEach((name, group) -> reports.add(new Observed<>(report(name, group), now)));
      ServerReport server = new ServerReport("s", "i", "http://s", BYTES / 2, Map.of(), 0, false);
      List<Observed<ServerReport>> servers = List.of(new Observed<>(server, now));
      plan = planner.next(plan, new Observations(reports, servers, now), Long.MAX_VALUE);
      for (Observed<JobReport> each : reports) {
        Probe probe = plan.forJob(each.report()).probe();
        if (probe != null) {
          probes.add(probe);
          probed.add(each.report().job());
        }
      }
    }
  }

  private JobReport report(String name, String group) {
    @Nullable DatasetPlan held = plan.forJob(name, KEY).dataset();
    int chunks = held == null ? 0 : held.chunks();
    List<ChunkGeneration> loaded = new ArrayList<>();
    if (held != null) {
      held.held().forEach(each -> loaded.add(new ChunkGeneration(each.chunk(), each.generation())));
    }
    return member(name, group)
        .sequence(now)
        .remaining(Collections.nCopies(chunks, 25))
        .loaded(loaded)
        .times(0.004, 0)
        .following(plan.version(), held)
        .speeds(speeds(0.004, 0))
        .build();
  }

  private DatasetPlan dataset() {
    return Objects.requireNonNull(plan.forJob("any", KEY).dataset());
  }

  @Test
  void theRanksOfOneJobGetPinsAndOneProbeForAll() {
    Map<String, String> ranks = Map.of("a.r0", "a", "a.r1", "a", "a.r2", "a", "a.r3", "a");
    run(ranks, 60);
    assertThat(dataset().ring()).isFalse();
    assertThat(dataset().held())
        .hasSize(dataset().chunks() / 2)
        .allMatch(each -> each.role() == ChunkRole.PINNED);
    assertThat(probes).hasSize(1);
    assertThat(probed).isEqualTo(ranks.keySet());
  }

  @Test
  void twoGroupsShareARing() {
    run(Map.of("a.r0", "a", "a.r1", "a", "b.r0", "b", "b.r1", "b"), 20);
    assertThat(dataset().ring()).isTrue();
    assertThat(plan.ringRoles()).containsOnlyKeys("a", "b");
  }
}
