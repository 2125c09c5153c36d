package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ScoreOffer;
import io.quiver.core.plan.report.ServerReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Columns of scores have a space of their own while somebody shares them, and a bounded one. */
final class ScoreSpaceTest {
  private static final DatasetKey KEY = new DatasetKey("00000000000000aa");
  private static final int ITEMS = 1_000;
  private static final long COLUMN = 48 + 4 * ITEMS;

  private static JobReport job(String name, boolean shares) {
    ScoreOffer offer = new ScoreOffer("group", name, 0, null, true);
    return JobReport.of(name, name, KEY, ITEMS, 1_000_000, 10)
        .scores(shares ? List.of(offer) : List.of())
        .build();
  }

  private static Plan plan(PlannerKind kind, long capacity, int servers, JobReport... jobs) {
    List<Observed<JobReport>> reports = new ArrayList<>();
    for (JobReport job : jobs) {
      reports.add(new Observed<>(job, 0));
    }
    List<Observed<ServerReport>> members = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      members.add(
          new Observed<>(
              new ServerReport("s" + i, "i", "http://s" + i, capacity, Map.of(), 0, false), 0));
    }
    return new Planner(PlannerConfig.of(kind))
        .next(Plan.empty(1), new Observations(reports, members, 0), capacity);
  }

  private static List<SpaceOrder> scores(Plan plan) {
    return plan.forServers().spaces().stream()
        .filter(order -> order.name().name().equals("ds-scores"))
        .toList();
  }

  @Test
  void aSharedColumnAndItsSuccessorFitOnAnyServer() {
    Plan plan = plan(PlannerKind.MARGINAL, 10_000_000, 2, job("a", true), job("b", true));
    assertThat(scores(plan)).hasSize(1);
    SpaceOrder order = scores(plan).getFirst();
    assertThat(order.keeper()).isEqualTo(KeeperKind.RECENT);
    assertThat(order.quotaBytes()).isEqualTo(2 * 2 * 3 * COLUMN);
  }

  @Test
  void nobodyWhoSharesNoSpace() {
    assertThat(scores(plan(PlannerKind.MARGINAL, 10_000_000, 2, job("a", false)))).isEmpty();
    assertThat(scores(plan(PlannerKind.NONE, 10_000_000, 2, job("a", true)))).isEmpty();
  }

  @Test
  void plannersWithoutChunksOrderItToo() {
    assertThat(scores(plan(PlannerKind.LRU, 10_000_000, 1, job("a", true)))).hasSize(1);
  }

  @Test
  void scoresNeverTakeMuchOfASmallCache() {
    Plan plan = plan(PlannerKind.MARGINAL, 40_000, 1, job("a", true), job("b", true));
    assertThat(scores(plan).getFirst().quotaBytes()).isBetween(1L, 40_000L / 8);
    assertThat(scores(plan(PlannerKind.MARGINAL, 0, 1, job("a", true)))).isEmpty();
  }

  @Test
  void aPlanChangesWhenSharingBeginsAndEnds() {
    Plan without = plan(PlannerKind.MARGINAL, 10_000_000, 1, job("a", false));
    Plan with = plan(PlannerKind.MARGINAL, 10_000_000, 1, job("a", true));
    assertThat(without.showsSame(with)).isFalse();
    assertThat(with.showsSame(with)).isTrue();
  }
}
