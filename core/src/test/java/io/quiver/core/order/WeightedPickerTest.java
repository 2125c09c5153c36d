package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.testkit.SeededRuns;
import org.junit.jupiter.api.Test;

class WeightedPickerTest {

  @Test
  void everyLotIsDrawnOnce() {
    SeededRuns.run(
        100,
        random -> {
          int[] lots = random.ints(1 + random.nextInt(40), 0, 20).toArray();
          int[] left = lots.clone();
          WeightedPicker drawn = new WeightedPicker(lots);
          SeededRandom seeded = new SeededRandom(random.nextLong());
          while (drawn.total() > 0) {
            assertThat(left[drawn.draw(seeded)]--).isPositive();
          }
          assertThat(left).containsOnly(0);
        });
  }

  @Test
  void ownersAreDrawnInProportion() {
    int[] lots = {100_000, 0, 300_000, 600_000};
    int[] times = new int[4];
    WeightedPicker drawn = new WeightedPicker(lots);
    SeededRandom random = new SeededRandom(5);
    for (int i = 0; i < 10_000; i++) {
      times[drawn.draw(random)]++;
    }
    assertThat(times[1]).isZero();
    assertThat(times[0]).isBetween(850, 1150);
    assertThat(times[2]).isBetween(2750, 3250);
  }
}
