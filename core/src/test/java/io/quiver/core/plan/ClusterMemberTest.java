package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.placement.Member;
import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Weights of servers in plans follow from each server alone. */
final class ClusterMemberTest {
  private static final long GIB = 1L << 30;

  private static ServerReport server(int number, long bytes) {
    String name = "server-" + number;
    return new ServerReport(name, "i", "http://" + name + ":1", bytes, Map.of(), 0, false);
  }

  private static List<ClusterMember> planned(List<ServerReport> servers) {
    List<Observed<ServerReport>> seen =
        servers.stream().map(each -> new Observed<>(each, 0)).toList();
    return new Planner(PlannerConfig.DEFAULT)
        .next(Plan.empty(1), new Observations(List.of(), seen, 0), Long.MAX_VALUE)
        .members();
  }

  private static SlotTable table(List<ServerReport> servers) {
    return SlotTable.of(planned(servers).stream().map(ClusterMember::placed).toList());
  }

  private static List<ServerReport> cluster(int servers, RandomGenerator random) {
    List<ServerReport> cluster = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      cluster.add(server(i, random.nextLong(GIB, 8000 * GIB)));
    }
    return cluster;
  }

  @Test
  void aJoinOrLeaveMovesSlotsOfThatServerOnly() {
    SeededRuns.run(
        2,
        random -> {
          List<ServerReport> cluster = cluster(random.nextInt(1, 30), random);
          SlotTable before = table(cluster);
          cluster.add(server(1000, random.nextLong(GIB, 8000 * GIB)));
          SlotTable after = table(cluster);
          int moved = 0;
          for (int slot = 0; slot < SlotTable.SLOTS; slot++) {
            Member owner = after.members().get(after.owner(slot));
            boolean kept = owner.equals(before.members().get(before.owner(slot)));
            moved += kept || owner.id().equals("server-1000") ? 0 : 1;
          }
          assertThat(moved).as("slots that moved between other servers").isZero();
        });
  }

  @Test
  void serversOfALargeClusterWeighWhatTheyHold() {
    List<ServerReport> cluster = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      cluster.add(server(i, (i % 2 == 0 ? 1000 : 3000) * GIB));
    }
    int[] shares = table(cluster).shares();
    List<ClusterMember> members = planned(cluster);
    double large = 0;
    for (int i = 0; i < shares.length; i++) {
      large += members.get(i).weight() > members.getFirst().weight() ? shares[i] : 0;
    }
    assertThat(large / SlotTable.SLOTS).isBetween(0.74, 0.76);
  }

  @Test
  void aWeightIsTheCapacityInUnitsOf64MiB() {
    List<ClusterMember> members =
        planned(List.of(server(0, 0), server(1, GIB), server(2, GIB / 10), server(3, 1L << 50)));
    assertThat(members).extracting(ClusterMember::weight).containsExactly(1, 16, 2, 1 << 24);
  }
}
