package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.order.ItemList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RepetitionTest {
  private static ItemScores rising(int items) {
    ItemScores scores = new ItemScores(items);
    scores.report(
        IntStream.range(0, items).toArray(),
        IntStream.range(0, items).mapToDouble(item -> item).toArray());
    return scores;
  }

  private static Set<Integer> pool(Repetition repetition, int epoch) {
    double[] weights = repetition.weights(epoch);
    return IntStream.range(0, weights.length)
        .filter(item -> weights[item] > 0)
        .boxed()
        .collect(Collectors.toSet());
  }

  @Test
  void anEpochIsDrawnFromItsPool() {
    Repetition repetition = new Repetition(rising(1_000), 0.3, 5);
    for (int epoch = 0; epoch < 20; epoch++) {
      ItemList drawn = repetition.draw(epoch);
      assertThat(drawn.size()).isEqualTo(1_000);
      assertThat(Arrays.stream(drawn.entries()).boxed()).isSubsetOf(pool(repetition, epoch));
      assertThat(drawn.distinct()).isBetween(250, 300);
    }
  }

  @Test
  void halfOfThePoolIsNewAndEveryItemHasItsTurn() {
    Repetition repetition = new Repetition(rising(1_000), 0.3, 5);
    int[] turns = new int[1_000];
    for (int epoch = 0; epoch < 20; epoch++) {
      Set<Integer> kept = new HashSet<>(pool(repetition, epoch));
      kept.forEach(item -> turns[item]++);
      kept.retainAll(pool(repetition, epoch + 1));
      assertThat(kept).hasSize(150);
    }
    assertThat(turns).containsOnly(6);
  }

  @Test
  void weightsMakeTheMeanOverDrawsTheMeanOverAll() {
    Repetition repetition = new Repetition(rising(64), 0.5, 1);
    double sum = 0;
    int epochs = 5_000;
    for (int epoch = 0; epoch < epochs; epoch++) {
      double[] weights = repetition.weights(epoch);
      for (int item : repetition.draw(epoch).entries()) {
        sum += weights[item] * item;
      }
    }
    assertThat(sum / epochs / 64).isCloseTo(31.5, within(0.3));
  }

  @Test
  void oneItemIsItsOwnPool() {
    Repetition repetition = new Repetition(rising(1), 0.01, 3);
    assertThat(repetition.size()).isEqualTo(1);
    assertThat(repetition.draw(1_000_000).entries()).containsExactly(0);
    assertThat(repetition.weights(2)).containsExactly(1);
  }

  @Test
  void aPoolOfNothingIsRefused() {
    for (double pool : new double[] {0, -1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> new Repetition(rising(5), pool, 1))
          .hasMessageContaining("a pool of " + pool);
    }
  }
}
