package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.review.PlanReview;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks what doors get of the cache, alone and beside jobs. */
final class DoorSpacesTest {
  private static final long CAPACITY = 64_000_000;
  private static final double FILLED = KeeperKind.FIFO3.filledShare();
  private static final DatasetKey DATASET = new DatasetKey("00000000000000cc");

  private Planner planner = new Planner(PlannerConfig.DEFAULT);
  private final Map<String, Long> onServer = new HashMap<>();
  private CachePreferences preferences = CachePreferences.NONE;
  private Plan plan = Plan.empty(1);
  private long now;
  private List<DoorReport> doors = List.of();

  private static DoorReport door(String name, long bytes, double reads, double store) {
    return new DoorReport(name, name, 1, "", bytes, reads, store, 0.001, 0.030, 0, false);
  }

  private static DoorReport idle(String name) {
    return new DoorReport(name, name, 1, "", 0, 0, 0, 0, 0, 0, false);
  }

  /** A job that reads a data set four times as fast from the cache, on eight GPUs. */
  private static JobReport training(long bytes) {
    return JobReport.of("training", "i", DATASET, 10_000, bytes, 10)
        .times(0.001, 0)
        .traits(new JobTraits("", 8, ""))
        .speeds(Cluster.speeds(0.001, 0.004))
        .build();
  }

  private Observations seen(JobReport... jobs) {
    List<Observed<JobReport>> reports = new ArrayList<>();
    for (JobReport job : jobs) {
      reports.add(new Observed<>(job, now));
    }
    ServerReport server = new ServerReport("s", "i", "http://s", 2 * CAPACITY, onServer, 0, false);
    return new Observations(
        reports,
        List.of(new Observed<>(server, now)),
        now,
        preferences,
        doors.stream().map(door -> new Observed<>(door, now)).toList());
  }

  private void settle(JobReport... jobs) {
    for (int i = 0; i < 50; i++) {
      now += 10_000_000_000L;
      plan = planner.next(plan, seen(jobs), CAPACITY);
    }
  }

  private long quota() {
    SpaceOrder order = plan.doors();
    return order == null ? 0 : order.quotaBytes();
  }

  /** Returns the bytes on disk that doors have. */
  private long disk() {
    return Math.round(quota() / FILLED);
  }

  private long heldChunks() {
    DatasetPlan dataset = plan.forJob("training", DATASET).dataset();
    return dataset == null
        ? 0
        : Math.round((double) dataset.bytes() * dataset.held().size() / dataset.chunks());
  }

  @Test
  void aloneDoorsHaveNearlyEverything() {
    for (DoorReport each :
        List.of(
            idle("a"),
            door("a", 1_000_000, 50, 0.5),
            door("a", 40 * CAPACITY, 50, 0.9),
            door("a", CAPACITY / 3, 0.001, 0))) {
      doors = List.of(each);
      settle();
      assertThat(disk()).as("%s", each).isBetween(CAPACITY * 98 / 100, CAPACITY);
      assertThat(plan.doors())
          .extracting(SpaceOrder::name, SpaceOrder::keeper)
          .containsExactly(DoorSpaces.SHARED, KeeperKind.FIFO3);
      assertThat(plan.forDoors().space()).isEqualTo(DoorSpaces.SHARED);
      assertThat(plan.forServers().spaces()).contains(plan.doors());
      assertThat(DoorSpaces.SHARED.name()).startsWith(plan.forServers().prefix());
    }
  }

  @Test
  void withoutDoorsThereIsNoSpace() {
    settle();
    assertThat(plan.doors()).isNull();
    assertThat(plan.forDoors().space()).isNull();
  }

  @Test
  void jobsThatNeedAllLeaveDoorsAFloor() {
    doors = List.of(door("a", 10 * CAPACITY, 5, 0.9));
    settle();
    settle(training(2 * CAPACITY));
    assertThat(disk()).isBetween(CAPACITY / 65, CAPACITY / 10);
    assertThat(heldChunks()).isGreaterThan(CAPACITY * 85 / 100);
    doors = List.of(idle("a"));
    settle(training(2 * CAPACITY));
    assertThat(disk()).as("unmeasured").isBetween(CAPACITY / 65, CAPACITY / 2);
    assertThat(disk() + heldChunks()).isLessThanOrEqualTo(CAPACITY);
  }

  @Test
  void doorsThatGainHaveTheBytesThatGainNobodyElse() {
    doors = List.of(door("a", CAPACITY / 2, 30, 0.9));
    JobReport slow =
        JobReport.of("training", "i", DATASET, 10_000, 2 * CAPACITY, 10)
            .times(0.001, 0)
            .speeds(Cluster.speeds(0.001, 0.001))
            .build();
    settle(slow);
    assertThat(disk()).isGreaterThan(CAPACITY / 2);
  }

  @Test
  void whatDoorsLeaveBehindStaysUntilSomebodyNeedsTheBytes() {
    doors = List.of(door("a", CAPACITY, 30, 0.5));
    settle();
    long before = disk();
    doors = List.of();
    settle();
    assertThat(disk()).isBetween(before * 98 / 100, before);
    settle(training(2 * CAPACITY));
    assertThat(plan.doors()).isNull();
    assertThat(heldChunks()).isGreaterThan(CAPACITY * 95 / 100);
  }

  @Test
  void aNewManagerGoesOnWithWhatServersHold() {
    onServer.put(DoorSpaces.SHARED.name(), CAPACITY / 4);
    now += 1_000_000_000L;
    plan = planner.next(Plan.empty(1), seen(), CAPACITY);
    assertThat(quota()).as("no door yet").isEqualTo(CAPACITY / 4);
    doors = List.of(idle("a"));
    plan = planner.next(Plan.empty(1), seen(training(2 * CAPACITY)), CAPACITY);
    assertThat(quota()).as("beside a job").isGreaterThanOrEqualTo(CAPACITY / 4);
  }

  @Test
  void plansStayWhileDoorsReadOn() {
    Random random = new Random(7);
    doors = List.of(door("a", CAPACITY / 2, 30, 0.5));
    settle(training(CAPACITY / 4));
    long version = plan.version();
    for (int i = 0; i < 100; i++) {
      double reads = 28 + 4 * random.nextDouble();
      doors =
          List.of(
              new DoorReport("a", "a", i, "", CAPACITY / 2 - i, reads, 0.5, 0.001, 0.03, 0, false));
      now += 1_000_000_000L;
      plan = planner.next(plan, seen(training(CAPACITY / 4)), CAPACITY);
    }
    assertThat(plan.version() - version).isLessThanOrEqualTo(3);
  }

  @Test
  void quotasAndPinsGoBeforeDoors() {
    preferences = CachePreferences.NONE.with(DATASET, CachePreference.PIN);
    doors = List.of(door("a", 10 * CAPACITY, 300, 0.9));
    settle(training(CAPACITY / 2));
    assertThat(heldChunks()).isGreaterThanOrEqualTo(CAPACITY / 2 - 10_000);
    assertThat(disk()).isGreaterThan(CAPACITY / 3);
    preferences = CachePreferences.NONE.withUserQuota("eve", CAPACITY / 10);
    doors = List.of(new DoorReport("a", "a", 1, "eve", CAPACITY, 30, 0.9, 0.001, 0.03, 0, false));
    settle();
    assertThat(disk()).isBetween(CAPACITY / 11, CAPACITY / 10);
  }

  @Test
  void otherPlannersGiveDoorsTheirSpaceOrNone() {
    doors = List.of(door("a", CAPACITY / 2, 30, 0.5));
    for (PlannerKind kind : PlannerKind.values()) {
      planner = new Planner(PlannerConfig.of(kind));
      plan = Plan.empty(1);
      settle();
      SpaceOrder shared = plan.shared();
      if (kind.plansChunks()) {
        assertThat(plan.forDoors().space()).as("%s", kind).isEqualTo(DoorSpaces.SHARED);
      } else {
        assertThat(plan.forDoors().space())
            .as("%s", kind)
            .isEqualTo(shared == null ? null : shared.name());
      }
    }
  }

  @Test
  void aDoorCountsAsOneGpuThatBecomesAtMostTwiceAsFast() {
    for (double reads : new double[] {0.01, 1, 30, 1000, 1e6}) {
      JobSpeed speed = DoorSpaces.speed(door("a", 1000, reads, 1)).orElseThrow();
      assertThat(speed.gpus()).isEqualTo(1);
      assertThat(speed.benefit()).as("%s reads", reads).isBetween(1.0, 2.0 + 1e-9);
    }
    assertThat(DoorSpaces.speed(door("a", 1000, 0.01, 1)).orElseThrow().gains()).isFalse();
    assertThat(DoorSpaces.speed(door("a", 1000, 40, 1)).orElseThrow().gains()).isTrue();
    assertThat(DoorSpaces.speed(idle("a"))).isEmpty();
  }

  @Test
  void aReviewExplainsWhatDoorsHave() {
    onServer.put(DoorSpaces.SHARED.name(), 12345L);
    doors = List.of(door("b", CAPACITY / 2, 30, 0.5), door("a", CAPACITY / 2, 30, 0.5));
    settle(training(CAPACITY / 4));
    PlanReview review = new PlanReview(planner, plan, seen(training(CAPACITY / 4)), CAPACITY);
    assertThat(review.streams())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.stream()).isEqualTo("doors");
          assertThat(each.doors()).containsExactly("a", "b");
          assertThat(each.heldBytes()).isEqualTo(12345);
          assertThat(each.bytes()).isEqualTo(CAPACITY);
          assertThat(each.keeper()).isEqualTo(KeeperKind.FIFO3);
          assertThat(each.gpusSaved()).isPositive();
          assertThat(each.why()).contains("GPUs");
        });
    assertThat(review.whatIf(CAPACITY / 100).gpusSavedThen())
        .isLessThan(review.whatIf(CAPACITY).gpusSavedThen());
  }
}
