package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeededPermutationTest {

  @Test
  void visitsEveryPlaceOnceForEverySmallSize() {
    for (int size = 0; size <= 300; size++) {
      assertThat(visited(new SeededPermutation(size, size * 31L)).cardinality()).isEqualTo(size);
    }
  }

  @Test
  void visitsEveryPlaceOnceForRandomSizesAndSeeds() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 0; run < 20; run++) {
      int size = random.nextInt(200_000);
      assertThat(visited(new SeededPermutation(size, random.nextLong())).cardinality())
          .as("seed %s, size %s", seed, size)
          .isEqualTo(size);
    }
  }

  @Test
  void sameSeedGivesTheSameOrderAndAnotherSeedAnother() {
    SeededPermutation one = new SeededPermutation(1000, 7);
    SeededPermutation same = new SeededPermutation(1000, 7);
    SeededPermutation other = new SeededPermutation(1000, 8);
    int fixed = 0;
    for (int i = 0; i < 1000; i++) {
      assertThat(one.at(i)).isEqualTo(same.at(i));
      fixed += one.at(i) == other.at(i) ? 1 : 0;
    }
    // Two random orders of any size agree in one place on average.
    assertThat(fixed).isLessThan(10);
  }

  @Test
  void everyValueIsAsLikelyAtEveryPlace() {
    int size = 12;
    int seeds = 60_000;
    int[][] counts = new int[size][size];
    for (int seed = 0; seed < seeds; seed++) {
      SeededPermutation order = new SeededPermutation(size, seed);
      for (int place = 0; place < size; place++) {
        counts[place][order.at(place)]++;
      }
    }
    double expected = (double) seeds / size;
    double statistic = 0;
    for (int[] row : counts) {
      for (int count : row) {
        statistic += (count - expected) * (count - expected) / expected;
      }
    }
    // Chi-square with 121 degrees of freedom: the 99.99 % quantile is 186.
    assertThat(statistic).isLessThan(186);
  }

  @Test
  void neighboursAreScattered() {
    SeededPermutation order = new SeededPermutation(100_000, 3);
    double distance = 0;
    for (int i = 1; i < 100_000; i++) {
      distance += Math.abs(order.at(i) - order.at(i - 1));
    }
    // The mean distance of two random places is a third of the size.
    assertThat(distance / 99_999 / 100_000).isBetween(0.32, 0.347);
  }

  @Test
  void refusesPlacesOutside() {
    assertThatThrownBy(() -> new SeededPermutation(3, 0).at(3))
        .hasMessageContaining("place 3 of 3");
  }

  private static BitSet visited(SeededPermutation order) {
    BitSet visited = new BitSet(order.size());
    for (int i = 0; i < order.size(); i++) {
      visited.set(order.at(i));
    }
    return visited;
  }
}
