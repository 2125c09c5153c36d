package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.importance.ImportanceLists;
import io.quiver.core.importance.ImportanceMode;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.review.PlanReview;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks what jobs get that read by importance. */
final class RankedSpacesTest {
  private static final DatasetKey RANKED = new DatasetKey("00000000000000aa");
  private static final DatasetKey CHUNKED = new DatasetKey("00000000000000bb");
  private static final int ITEMS = 2_000;
  private static final long BYTES = 20_000_000;
  private static final double FILLED = KeeperKind.RANKED.filledShare();
  private static final List<Double> UNREAD = unread();

  private final Planner planner = new Planner(PlannerConfig.DEFAULT);
  private final Map<String, Long> onServer = new HashMap<>();
  private CachePreferences preferences = CachePreferences.NONE;
  private Plan plan = Plan.empty(1);
  private long now;

  private static List<Double> unread() {
    ImportanceLists lists =
        ImportanceLists.begin(ImportanceLists.Setup.of(ITEMS, 10, 3, ImportanceMode.SHADE));
    lists.begin(0);
    return Arrays.stream(lists.unread()).boxed().toList();
  }

  private static JobReport.Builder job(String name, DatasetKey dataset) {
    return JobReport.of(name, name, dataset, ITEMS, BYTES, 10).times(0.001, 0);
  }

  private static JobReport importance(String name, JobSpeeds speeds) {
    return job(name, RANKED).unread(UNREAD).speeds(speeds).build();
  }

  private Observations seen(long capacity, JobReport... jobs) {
    List<Observed<JobReport>> reports = new ArrayList<>();
    for (JobReport job : jobs) {
      reports.add(new Observed<>(job, now));
    }
    ServerReport server = new ServerReport("s", "i", "http://s", 2 * capacity, onServer, 0, false);
    return new Observations(reports, List.of(new Observed<>(server, now)), now, preferences);
  }

  private Plan settle(long capacity, JobReport... jobs) {
    for (int i = 0; i < 50; i++) {
      now += 1_000_000_000L;
      plan = planner.next(plan, seen(capacity, jobs), capacity);
    }
    return plan;
  }

  private @Nullable SpaceOrder ranked() {
    return plan.forServers().spaces().stream()
        .filter(order -> order.name().equals(RANKED.rankedSpace()))
        .findFirst()
        .orElse(null);
  }

  private List<String> ranking() {
    return Objects.requireNonNull(ranked()).jobs();
  }

  private long kept() {
    SpaceOrder order = ranked();
    return order == null ? 0 : order.quotaBytes();
  }

  @Test
  void aJobThatReadsByImportanceHasOneSpaceForAllItReads() {
    JobReport job = importance("a", Cluster.speeds(0.001, 0.004));
    settle(BYTES / 5, job);
    assertThat(ranked())
        .isEqualTo(
            new SpaceOrder(
                RANKED.rankedSpace(),
                KeeperKind.RANKED,
                (long) (BYTES / 5 * FILLED),
                List.of("a")));
    assertThat(plan.forJob(job).shared()).isEqualTo(RANKED.rankedSpace());
    assertThat(plan.forJob(job).dataset()).isNull();
  }

  @Test
  void allJobsOfADataSetRankOneSpaceAndChunksAreOthersBusiness() {
    JobReport chunked = job("c", RANKED).speeds(Cluster.speeds(0.001, 0.004)).build();
    JobReport first = importance("a", JobSpeeds.NONE);
    JobReport second = importance("b", JobSpeeds.NONE);
    settle(BYTES, first, second, chunked);
    assertThat(ranking()).containsExactly("a", "b");
    assertThat(plan.forJob(chunked).shared()).isNull();
    assertThat(plan.forJob(chunked).dataset()).isNotNull();
  }

  @Test
  void oneCapacityIsDividedAmongImportanceAndChunks() {
    long capacity = BYTES / 2;
    JobReport ranking = importance("a", Cluster.speeds(0.001, 0.002));
    JobReport chunked = job("c", CHUNKED).speeds(Cluster.speeds(0.001, 0.009)).build();
    settle(capacity, ranking, chunked);
    long chunks = held(Objects.requireNonNull(plan.forJob(chunked).dataset()));
    assertThat(kept() / FILLED + chunks).isLessThanOrEqualTo(capacity * 1.001);
    // A job that is twice as fast with hits needs half of them: three sixteenths give that.
    assertThat(kept()).isBetween(BYTES / 50, BYTES / 5);
    assertThat(chunks).isGreaterThan(BYTES / 8);
  }

  private static long held(DatasetPlan dataset) {
    return Math.round((double) dataset.bytes() * dataset.held().size() / dataset.chunks());
  }

  @Test
  void aNewManagerTakesNothingAway() {
    onServer.put(RANKED.rankedSpace().name(), BYTES / 5);
    JobReport job = importance("a", JobSpeeds.NONE);
    now += 1_000_000_000L;
    plan = planner.next(plan, seen(BYTES, job, job("c", CHUNKED).build()), BYTES);
    assertThat(kept()).isGreaterThanOrEqualTo(BYTES / 5);
  }

  @Test
  void whatNobodyReadsAnyMoreStaysUntilSomebodyNeedsTheBytes() {
    JobReport job = importance("a", Cluster.speeds(0.001, 0.004));
    settle(BYTES, job);
    long before = kept();
    settle(BYTES);
    assertThat(kept()).isEqualTo(before);
    assertThat(ranking()).as("priorities are given back").isEmpty();
    settle(BYTES, job("c", CHUNKED).speeds(Cluster.speeds(0.001, 0.009)).build());
    assertThat(ranked()).isNull();
  }

  @Test
  void aDataSetThatMustNotBeCachedHasNoRankedSpace() {
    preferences = CachePreferences.NONE.with(RANKED, CachePreference.NEVER);
    onServer.put(RANKED.rankedSpace().name(), BYTES / 5);
    JobReport job = importance("a", Cluster.speeds(0.001, 0.004));
    settle(BYTES, job);
    assertThat(ranked()).isNull();
    assertThat(plan.forJob(job).shared()).isNull();
  }

  @Test
  void aReviewExplainsWhatIsKeptByImportance() {
    JobReport job = importance("a", Cluster.speeds(0.001, 0.004));
    settle(BYTES / 5, job);
    PlanReview review = new PlanReview(planner, plan, seen(BYTES / 5, job), BYTES / 5);
    assertThat(review.datasets())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.ranked()).isTrue();
          assertThat(each.jobs()).containsExactly("a");
          assertThat(each.heldBytes()).isEqualTo(kept());
          assertThat(each.gpusSaved()).isGreaterThan(0);
        });
    assertThat(review.whatIf(2 * BYTES).jobs())
        .singleElement()
        .satisfies(each -> assertThat(each.speedup()).isGreaterThan(1.2));
  }
}
