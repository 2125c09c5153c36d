package io.quiver.simulator.shade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShadeStudyTest {
  private static final int ITEMS = 10_000;
  private static final List<ShadeStudy.Row> ROWS =
      new ShadeStudy(ITEMS, 10, 100, 3).run(done -> {});

  private static ShadeStudy.Row row(String policy, double fraction) {
    return ROWS.stream()
        .filter(row -> row.policy().equals(policy) && row.cacheFraction() == fraction)
        .findFirst()
        .orElseThrow();
  }

  private static double hits(String policy, double fraction) {
    return row(policy, fraction).hitRatio();
  }

  @Test
  void everyPolicyHasARowForEveryCache() {
    assertThat(ROWS).hasSize(ShadeStudy.results());
    assertThat(ROWS).allMatch(row -> row.hitRatio() >= 0 && row.hitRatio() <= 1);
  }

  @Test
  void ourListsFindWhatArithmeticAllows() {
    assertThat(hits("shade", 0.1)).isGreaterThan(0.43);
    assertThat(hits("shade", 0.2)).isGreaterThan(0.53);
    for (double fraction : new double[] {0.1, 0.2, 0.5, 0.75}) {
      double coverage = row("shade", fraction).coverage();
      assertThat(coverage).isGreaterThanOrEqualTo(0.6);
      assertThat(hits("shade", fraction)).isLessThan(1 - (coverage - fraction));
      assertThat(hits("shade", fraction)).isGreaterThan(hits("shade-paper", fraction));
    }
  }

  @Test
  void nobodyBeatsTheWholeFutureOnTheSameDraws() {
    for (double fraction : new double[] {0.1, 0.2, 0.5, 0.75}) {
      for (String policy : List.of("lru-same-draws", "lfu", "random", "shade-paper")) {
        assertThat(hits(policy, fraction)).isLessThan(hits("min", fraction));
      }
    }
  }

  @Test
  void shufflesLeaveTheCacheItsShareAtMost() {
    for (double fraction : new double[] {0.1, 0.2, 0.5, 0.75}) {
      assertThat(row("lru", fraction).coverage()).isEqualTo(1);
      assertThat(hits("lru", fraction)).isLessThan(fraction);
      assertThat(hits("minio", fraction)).isCloseTo(0.9 * fraction, within(0.01));
    }
  }

  @Test
  void aHeapEvictsTheLowestPriority() {
    SeededRuns.run(
        20,
        random -> {
          int items = 50;
          HeapCache cache = new HeapCache(items, 10);
          java.util.Map<Integer, Long> model = new java.util.HashMap<>();
          for (int i = 0; i < 2_000; i++) {
            int item = random.nextInt(items);
            long priority = (long) random.nextInt(1_000_000) * 1_000_003 % 999_983 * 10_000 + i;
            assertThat(cache.holds(item)).isEqualTo(model.containsKey(item));
            if (model.containsKey(item)) {
              cache.rank(item, priority);
            } else {
              if (model.size() == 10) {
                model.remove(
                    model.entrySet().stream()
                        .min(java.util.Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey());
              }
              cache.add(item, priority);
            }
            model.put(item, priority);
          }
        });
  }
}
