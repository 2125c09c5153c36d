package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks that warmed data is pinned, delays nobody and stays for later jobs. */
final class WarmingTest {
  private static final DatasetKey WARMED = new DatasetKey("00000000000000aa");
  private static final DatasetKey OTHER = new DatasetKey("00000000000000bb");
  private static final int ITEMS = 1000;
  private static final int BATCH = 20;
  private static final int MANY_STEPS = 200;

  private final Planner planner = new Planner(PlannerConfig.DEFAULT);
  private Plan plan = Plan.empty(1);
  private long now;

  /** Returns what a job says that finds everything whole that the plan has. */
  private JobReport report(String name, DatasetKey key, boolean warming, int left) {
    @Nullable DatasetPlan held = plan.forJob(name, key).dataset();
    int chunks = held == null ? 0 : held.chunks();
    List<ChunkGeneration> loaded = new ArrayList<>();
    if (held != null) {
      held.held().forEach(each -> loaded.add(new ChunkGeneration(each.chunk(), each.generation())));
    }
    return JobReport.of(name, name, key, ITEMS, ITEMS, BATCH)
        .sequence(now)
        .remaining(Collections.nCopies(chunks, left))
        .loaded(loaded)
        .times(warming ? 0 : 0.001, 0)
        .following(held == null ? 0 : plan.version(), held)
        .warming(warming)
        .build();
  }

  private void step(long room, JobReport... jobs) {
    now += 1_000_000;
    ServerReport server =
        new ServerReport("server", "i", "http://h:1", room, Map.of(), plan.version(), false);
    plan =
        planner.next(
            plan,
            new Observations(
                List.of(jobs).stream().map(job -> new Observed<>(job, now)).toList(),
                List.of(new Observed<>(server, now)),
                now),
            Long.MAX_VALUE);
  }

  private DatasetPlan of(DatasetKey key) {
    return Objects.requireNonNull(plan.forJob("anyone", key).dataset());
  }

  private void warm(long room) {
    for (int i = 0; i < MANY_STEPS && (i < 2 || !of(WARMED).pinnedIsWhole()); i++) {
      step(room, report("warm", WARMED, true, 0));
    }
  }

  private static long whole(DatasetPlan dataset) {
    return dataset.held().stream()
        .filter(each -> each.role() == ChunkRole.PINNED && each.state() == ChunkState.ACTIVE)
        .count();
  }

  @Test
  void everythingThatFitsIsPinnedAlthoughNobodyReadsIt() {
    warm(ITEMS);
    assertThat(whole(of(WARMED))).isEqualTo(of(WARMED).chunks());
  }

  @Test
  void asMuchAsFitsIsPinnedAndThenItIsDone() {
    warm(ITEMS * 3 / 10);
    DatasetPlan dataset = of(WARMED);
    assertThat(dataset.pinnedIsWhole()).isTrue();
    assertThat(dataset.ring()).isFalse();
    assertThat(whole(dataset)).isEqualTo(dataset.chunks() * 3 / 10);
  }

  @Test
  void whatWasBroughtInStaysWhenNobodyIsThereAndIsFoundByTheNextJob() {
    warm(ITEMS);
    int chunks = of(WARMED).chunks();
    for (int i = 0; i < MANY_STEPS; i++) {
      now += 3_600_000_000_000L;
      step(ITEMS);
    }
    assertThat(whole(of(WARMED))).isEqualTo(chunks);
    step(ITEMS, report("job", WARMED, false, 10));
    assertThat(of(WARMED).residency().pinned()).hasSize(chunks);
  }

  @Test
  void whatWasBroughtInMakesRoomForADataSetThatIsRead() {
    warm(ITEMS);
    for (int i = 0; i < MANY_STEPS; i++) {
      step(ITEMS, report("job", OTHER, false, 10));
    }
    assertThat(whole(of(OTHER))).isEqualTo(of(OTHER).chunks());
    assertThat(plan.datasets()).extracting(DatasetPlan::dataset).containsExactly(OTHER);
  }

  @Test
  void besideOneJobNothingRotates() {
    for (int i = 0; i < MANY_STEPS; i++) {
      step(ITEMS / 2, report("job", WARMED, false, 10), report("warm", WARMED, true, 0));
      assertThat(of(WARMED).ring()).isFalse();
    }
    assertThat(of(WARMED).pinnedIsWhole()).isTrue();
  }

  @Test
  void besideManyJobsItHoldsNoChunkInItsTurn() {
    int turns = 0;
    long latest = -1;
    for (int i = 0; i < 2 * MANY_STEPS; i++) {
      int left = i % 2 == 0 ? 10 : 0;
      step(
          ITEMS / 2,
          report("job-0", WARMED, false, left),
          report("job-1", WARMED, false, left),
          report("warm", WARMED, true, 0));
      long newest = of(WARMED).held().stream().mapToLong(ChunkEntry::generation).max().orElse(-1);
      turns += newest > latest ? 1 : 0;
      latest = newest;
    }
    assertThat(of(WARMED).ring()).isTrue();
    assertThat(turns)
        .as("chunks that all jobs have read give way")
        .isGreaterThan(of(WARMED).chunks());
  }
}
