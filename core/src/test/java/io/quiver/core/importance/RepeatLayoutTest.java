package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.ItemList;
import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RepeatLayoutTest {
  private static final int BATCH = 10;

  private static ItemList drawn(java.util.Random random, int items) {
    int[] entries = new int[items];
    Arrays.setAll(entries, any -> random.nextInt(items));
    return new ItemList(items, entries);
  }

  @Test
  void everySampleComesAsOftenAsItWasDrawn() {
    SeededRuns.run(
        20,
        random -> {
          ItemList drawn = drawn(random, 1 + random.nextInt(500));
          ItemList laid = RepeatLayout.of(drawn, 1 + random.nextInt(40), random.nextLong());
          assertThat(Arrays.stream(laid.entries()).sorted())
              .containsExactly(
                  Arrays.stream(drawn.entries()).sorted().boxed().toArray(Integer[]::new));
        });
  }

  @Test
  void repeatsAreAFewBatchesApart() {
    SeededRuns.run(
        5,
        random -> {
          ItemList laid = RepeatLayout.of(drawn(random, 20_000), BATCH, random.nextLong());
          Map<Integer, Integer> last = new HashMap<>();
          int near = 0;
          int repeats = 0;
          for (int place = 0; place < laid.size(); place++) {
            Integer before = last.put(laid.at(place), place);
            if (before != null) {
              repeats++;
              near += place - before >= 3 * BATCH && place - before <= 16 * BATCH ? 1 : 0;
            }
          }
          assertThat((double) near / repeats).isGreaterThan(0.9);
        });
  }

  @Test
  void samplesLieEvenlyOverTheEpoch() {
    SeededRuns.run(
        5,
        random -> {
          int items = 20_000;
          ItemList laid = RepeatLayout.of(drawn(random, items), BATCH, random.nextLong());
          double mean = 0;
          for (int place = 0; place < laid.size(); place++) {
            mean += laid.at(place) < items / 2 ? (double) place / laid.size() : 0;
          }
          assertThat(mean / (items / 2.0)).isBetween(0.48, 0.52);
        });
  }
}
