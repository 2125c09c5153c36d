package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MarginalAllocationTest {
  private static final long[] NOTHING = {};
  private final MarginalAllocation policy = new MarginalAllocation();

  @Test
  void isNeverFurtherFromTheBestThanItsLargestStep() {
    SeededRuns.run(
        300,
        random -> {
          List<Demand> demands = demands(random, 1 + random.nextInt(3), 6);
          long room = random.nextInt(3000);
          long[] shares = policy.divide(demands, CacheBudget.of(room), NOTHING);
          assertThat(Arrays.stream(shares).sum()).isLessThanOrEqualTo(room);
          double largest =
              demands.stream()
                  .flatMap(demand -> ConcaveEnvelope.of(demand).stream())
                  .mapToDouble(ConcaveEnvelope.Step::gain)
                  .max()
                  .orElse(0);
          double best = best(demands, 0, room);
          assertThat(worth(demands, shares)).isBetween(best - largest - 1e-9, best + 1e-9);
        });
  }

  @Test
  void stepsAreTheConcaveCurveAboveWhatEachNumberOfChunksIsWorth() {
    SeededRuns.run(
        300,
        random -> {
          Demand demand = demands(random, 1, 40).getFirst();
          List<ConcaveEnvelope.Step> steps = ConcaveEnvelope.of(demand);
          double sum = 0;
          int at = 0;
          for (int i = 0; i < steps.size(); i++) {
            ConcaveEnvelope.Step step = steps.get(i);
            if (i > 0) {
              assertThat(step.perByte()).isLessThanOrEqualTo(steps.get(i - 1).perByte() + 1e-12);
            }
            for (int held = at; held <= step.chunks(); held++) {
              double curve = sum + step.perByte() * (demand.bytes(held) - demand.bytes(at));
              assertThat(demand.gpusSaved(held)).isLessThanOrEqualTo(curve + 1e-9);
            }
            sum += step.gain();
            at = step.chunks();
            assertThat(demand.gpusSaved(at)).isCloseTo(sum, within(1e-9));
          }
        });
  }

  @Test
  void jobsThatGainNothingTakeNoRoom() {
    Demand idle = ring(1000, 10, 2, List.of(JobSpeed.of("slow", 64, 1, 1.04)));
    Demand hungry = ring(1000, 10, 2, List.of(JobSpeed.of("fast", 1, 1, 2)));
    assertThat(policy.divide(List.of(idle, hungry), CacheBudget.of(5000), NOTHING))
        .containsExactly(0, 500);
  }

  @Test
  void aSlightlyBetterDivisionMovesNothing() {
    Demand one = ring(1000, 10, 2, List.of(JobSpeed.of("a", 10, 1, 8)));
    Demand two = ring(1000, 10, 2, List.of(JobSpeed.of("b", 10, 1, 8.1)));
    long[] before = {900, 0};
    assertThat(policy.divide(List.of(one, two), CacheBudget.of(900), before))
        .containsExactly(900, 0);
    Demand better = ring(1000, 10, 2, List.of(JobSpeed.of("b", 20, 1, 9)));
    assertThat(policy.divide(List.of(one, better), CacheBudget.of(900), before))
        .containsExactly(0, 900);
  }

  @Test
  void quotasBindAndWhatIsPinnedByHandIsGiven() {
    List<JobSpeed> jobs = List.of(JobSpeed.of("a", 1, 1, 8));
    Demand limited = ring(1000, 10, 2, jobs).within(0, 350);
    Demand pinned = ring(1000, 10, 2, List.of()).within(1000, Long.MAX_VALUE);
    Demand never = ring(1000, 10, 2, jobs).within(0, 0);
    long[] shares = policy.divide(List.of(limited, pinned, never), CacheBudget.of(5000), NOTHING);
    assertThat(shares).containsExactly(300, 1000, 0);
  }

  @Test
  void aWindowComesBeforeAnythingElseWhereJobsShare() {
    List<JobSpeed> four = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      four.add(JobSpeed.of("job-" + i, 4, 1, 3.9));
    }
    Demand shared = ring(1000, 50, 2, four);
    // Four jobs bring in an item in 3.9 / 4 = 0.975 s: the window makes them as fast as can be.
    assertThat(policy.divide(List.of(shared), CacheBudget.of(1000), NOTHING)).containsExactly(40);
  }

  private static double worth(List<Demand> demands, long[] shares) {
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += demands.get(i).gpusSaved(demands.get(i).steps(shares[i]));
    }
    return sum;
  }

  /** The best worth there is, by trying everything. */
  private static double best(List<Demand> demands, int from, long room) {
    if (from == demands.size()) {
      return 0;
    }
    Demand demand = demands.get(from);
    double best = 0;
    for (int held = 0; held <= demand.steps() && demand.bytes(held) <= room; held++) {
      double rest = best(demands, from + 1, room - demand.bytes(held));
      best = Math.max(best, demand.gpusSaved(held) + rest);
    }
    return best;
  }

  private static List<Demand> demands(Random random, int count, int mostChunks) {
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<JobSpeed> jobs = new ArrayList<>();
      for (int job = random.nextInt(4); job >= 0; job--) {
        double hit = 0.5 + random.nextDouble();
        jobs.add(
            JobSpeed.of("job", 1 + random.nextInt(8), hit, hit * (0.9 + 5 * random.nextDouble())));
      }
      demands.add(ring(100 + random.nextInt(2000), 1 + random.nextInt(mostChunks), 2, jobs));
    }
    return demands;
  }

  private static Demand ring(long bytes, int chunks, int window, List<JobSpeed> jobs) {
    DatasetKey key = new DatasetKey("0123456789abcdef");
    return Demand.ring(key, bytes, chunks, window, jobs.size(), jobs);
  }
}
