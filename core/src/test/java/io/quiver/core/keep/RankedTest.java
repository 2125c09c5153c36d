package io.quiver.core.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Priorities of several jobs in one space, against a model with plain collections. */
final class RankedTest {
  private static final int KEYS = 80;
  private static final int STEPS = 2000;

  @Test
  void theMaximumOfTwoJobsCountsWhateverTheyDo() {
    // A model that forgets nothing: with two jobs both priorities of every blob are kept.
    SeededRuns.run(
        8, random -> decidesAsTheModelDoes(random, 2, new KeeperModel(KeeperKind.RANKED, 0, 99)));
  }

  @Test
  void theTwoHighestOfManyJobsAreKept() {
    SeededRuns.run(
        8, random -> decidesAsTheModelDoes(random, 6, new KeeperModel(KeeperKind.RANKED, 0, 2)));
  }

  private static void decidesAsTheModelDoes(Random random, int jobs, KeeperModel model) {
    Ranked keeper = new Ranked(0);
    for (int step = 0; step < STEPS; step++) {
      String at = "step " + step;
      long key = random.nextInt(KEYS);
      int job = 1 + random.nextInt(jobs);
      // Unique priorities, or none: which of two equals goes is nobody's business.
      long priority = random.nextInt(50) == 0 ? Ranked.UNKNOWN : unique(random, step);
      switch (random.nextInt(20)) {
        case 0 -> assertThat(keeper.forget(key)).as(at).isEqualTo(model.forget(key));
        case 1 -> {
          keeper.release(job);
          model.release(job);
        }
        case 2 -> {
          long quota = random.nextInt(3000);
          List<Long> victims = new ArrayList<>();
          keeper.resize(quota, victims::add);
          assertThat(victims).as(at).isEqualTo(model.resize(quota));
        }
        case 3 -> assertThat(keeper.touch(key)).as(at).isEqualTo(model.touch(key));
        case 4, 5, 6, 7, 8, 9 ->
            assertThat(keeper.rank(key, priority, job))
                .as(at)
                .isEqualTo(model.rank(key, priority, job));
        default -> {
          long bytes = 1L + random.nextInt(150);
          List<Long> victims = new ArrayList<>();
          boolean admitted = keeper.offer(key, bytes, priority, job, victims::add);
          @Nullable List<Long> expected = model.offer(key, bytes, priority, job);
          assertThat(admitted).as(at).isEqualTo(expected != null);
          assertThat(victims).as(at).isEqualTo(expected == null ? List.of() : expected);
        }
      }
      rankUnknown(random, step, keeper, model);
      assertThat(keeper.lowest()).as(at).isEqualTo(model.lowest());
      assertThat(keeper.report().usedBytes()).as(at).isEqualTo(model.used());
    }
  }

  private static long unique(Random random, int step) {
    return (random.nextInt(1000) - 500) * 1_000_000L + step * 100L;
  }

  /** Gives a priority to every blob that has none, so that there are no equals. */
  private static void rankUnknown(Random random, int step, Ranked keeper, KeeperModel model) {
    int next = 1;
    for (long key : model.unranked()) {
      long priority = unique(random, step) + next++;
      keeper.rank(key, priority, 1);
      model.rank(key, priority, 1);
    }
  }

  @Test
  void extremePrioritiesKeepTheirOrder() {
    Ranked keeper = new Ranked(4);
    long[] priorities = {Long.MAX_VALUE, -1, Ranked.UNKNOWN + 1, Ranked.UNKNOWN};
    for (int key = 0; key < priorities.length; key++) {
      assertThat(keeper.offer(key, 1, priorities[key], 255, any -> {})).isTrue();
    }
    List<Long> victims = new ArrayList<>();
    keeper.resize(0, victims::add);
    assertThat(victims).containsExactly(3L, 2L, 1L, 0L);
  }

  @Test
  void whatIsReleasedIsRankedByOthersOrGoesFirst() {
    Ranked keeper = new Ranked(3);
    keeper.offer(1, 1, 50, 7, any -> {});
    keeper.offer(2, 1, 40, 7, any -> {});
    keeper.offer(3, 1, 30, 8, any -> {});
    keeper.rank(1, 20, 8);
    keeper.release(7);
    List<Long> victims = new ArrayList<>();
    keeper.resize(0, victims::add);
    assertThat(victims).containsExactly(2L, 1L, 3L);
  }
}
