package io.quiver.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.Planner;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The cycle keeps going for everybody else when one member is wrong. */
final class ManagerCycleTest {
  private static final DatasetKey GOOD = new DatasetKey("00000000000000aa");
  private static final DatasetKey BAD = new DatasetKey("00000000000000bb");
  private static final long SECOND = 1_000_000_000L;

  /** A planner that fails with one data set and one server, as if a check had missed something. */
  private static ManagerCycle failing() {
    Planner planner = new Planner(PlannerConfig.DEFAULT);
    return new ManagerCycle(
        ManagerConfig.DEFAULT,
        1,
        (before, seen) -> {
          boolean fails =
              before.knows(BAD)
                  || seen.jobs().stream().anyMatch(job -> job.report().dataset().equals(BAD))
                  || seen.servers().stream().anyMatch(each -> each.report().server().equals("bad"));
          if (fails) {
            throw new ArithmeticException("cannot be planned");
          }
          return planner.next(before, seen, Long.MAX_VALUE);
        });
  }

  private static JobReport job(String name, DatasetKey dataset, long sequence) {
    return JobReport.of(name, "1", dataset, 1000, 1_000_000, 4)
        .sequence(sequence)
        .times(0.001, 0)
        .build();
  }

  private static ServerReport server(String name, String instance) {
    return new ServerReport(name, instance, "http://h:1", 200_000, Map.of(), 0, false);
  }

  private static Set<String> names(Plan plan) {
    return plan.members().stream().map(ClusterMember::name).collect(Collectors.toSet());
  }

  @Test
  void aDataSetThatCannotBePlannedDoesNotStopTheOthers() throws Exception {
    ManagerCycle cycle = failing();
    cycle.note(server("good", "1"), SECOND);
    cycle.note(server("bad", "1"), SECOND);
    cycle.note(job("a", BAD, 1), SECOND);
    cycle.note(job("b", GOOD, 1), SECOND);
    Plan plan = cycle.plan(SECOND);
    assertThat(names(plan)).containsExactly("good");
    assertThat(plan.knows(GOOD)).isTrue();
    assertThat(plan.knows(BAD)).isFalse();
    cycle.note(job("c", GOOD, 1), 2 * SECOND);
    assertThat(cycle.plan(2 * SECOND).version()).as("and goes on").isGreaterThan(plan.version());
  }

  private static DoorReport door(String name, long sequence, int streams, int labelLength) {
    List<StreamSummary> told = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      told.add(
          new StreamSummary(
              "%032x".formatted(i),
              "s".repeat(labelLength),
              new Recognition(AccessPattern.RANDOM, Recognition.Evidence.GAPS, 0.1, 0.2, 100),
              3,
              10,
              10_000,
              1,
              30,
              0.5,
              0.001,
              0.03,
              0,
              80,
              20,
              0,
              0,
              0,
              new StreamWindow(
                  StreamWindow.Indexing.LISTED, 10, new int[] {1}, new int[] {0}, new int[] {0})));
    }
    return new DoorReport(name, name, sequence, "", 0, 0, 0, 0, 0, 0, false, told);
  }

  @Test
  void theStreamsOfADoorThatDiesAreForgottenWithItsLease() throws Exception {
    ManagerCycle cycle = new ManagerCycle(ManagerConfig.DEFAULT, 1);
    long lease = ManagerConfig.DEFAULT.jobLease().toNanos();
    cycle.note(new ServerReport("s", "1", "http://h:1", 1 << 30, Map.of(), 0, false), SECOND);
    cycle.note(door("dead", 1, 1, 4), SECOND);
    assertThat(cycle.plan(SECOND).streams()).hasSize(1);
    assertThat(cycle.seen().doors().getFirst().report().streams().getFirst().window())
        .as("planners get patterns, not reads")
        .isNull();
    cycle.plan(SECOND + lease / 2);
    assertThat(cycle.doors()).hasSize(1);
    cycle.plan(2 * SECOND + lease);
    assertThat(cycle.doors()).isEmpty();
    assertThat(cycle.seen().doors()).isEmpty();
  }

  @Test
  void reportsOfDoorsTakeBoundedMemory() throws Exception {
    ManagerCycle cycle = new ManagerCycle(ManagerConfig.DEFAULT, 1);
    int taken = 0;
    try {
      for (; taken < 1_000; taken++) {
        cycle.note(door("door-" + taken, 1, 256, 4_000), SECOND);
      }
    } catch (Refused e) {
      assertThat(e.reason()).isEqualTo(Refused.Reason.FULL);
    }
    assertThat(taken).as("2 MB each, 64 MB in all").isBetween(5, 35);
    cycle.note(door("door-0", 2, 256, 4_000), SECOND);
    assertThat(cycle.doors()).as("who was taken is heard again").hasSize(taken);
  }

  @Test
  void anotherInstanceTakesAServersNameOverOnceTheFirstIsSilent() throws Exception {
    ManagerCycle cycle = new ManagerCycle(ManagerConfig.DEFAULT, 1);
    cycle.note(server("s", "1"), SECOND);
    assertThatThrownBy(() -> cycle.note(server("s", "2"), 2 * SECOND))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("http://h:1");
    cycle.note(server("s", "2"), 4 * SECOND);
    assertThat(names(cycle.plan(4 * SECOND))).containsExactly("s");
    assertThat(names(cycle.plan(7 * SECOND))).as("within its lease").containsExactly("s");
  }

  @Test
  void moreServersThanPlacementKnowsAreRefused() throws Exception {
    ManagerCycle cycle = new ManagerCycle(ManagerConfig.DEFAULT, 1);
    Set<String> taken = new TreeSet<>();
    for (int i = 0; i < SlotTable.MAX_MEMBERS; i++) {
      cycle.note(server("s" + i, "1"), SECOND);
      taken.add("s" + i);
    }
    assertThatThrownBy(() -> cycle.note(server("one-more", "1"), SECOND))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("4096");
    cycle.note(server("s7", "1"), 2 * SECOND);
    assertThat(names(cycle.plan(2 * SECOND))).isEqualTo(taken);
  }
}
