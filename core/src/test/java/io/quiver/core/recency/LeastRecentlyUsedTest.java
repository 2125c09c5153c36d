package io.quiver.core.recency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LeastRecentlyUsedTest {
  @Test
  void givesUpTheLeastRecentlyUsedFirst() {
    LeastRecentlyUsed<String> space = new LeastRecentlyUsed<>(30, 100);
    insert(space, "a", 10);
    insert(space, "b", 10);
    insert(space, "c", 10);
    assertThat(space.touch("a")).isTrue();
    assertThat(space.reserve(15)).contains(List.of("b", "c"));
    assertThat(space.usedBytes()).isEqualTo(25);
  }

  @Test
  void hasNoRoomForWhatIsLongerThanTheQuotaAndKeepsTheRest() {
    LeastRecentlyUsed<String> space = new LeastRecentlyUsed<>(30, 100);
    insert(space, "a", 10);
    assertThat(space.reserve(31)).isEmpty();
    assertThat(space.touch("a")).isTrue();
  }

  @Test
  void givesRoomThatIsReservedToNobodyElse() {
    LeastRecentlyUsed<String> space = new LeastRecentlyUsed<>(30, 100);
    assertThat(space.reserve(20)).contains(List.of());
    assertThat(space.reserve(11)).isEmpty();
    space.release(20);
    assertThat(space.reserve(30)).contains(List.of());
  }

  @Test
  void boundsTheNumberOfEntriesToo() {
    LeastRecentlyUsed<String> space = new LeastRecentlyUsed<>(1000, 2);
    insert(space, "a", 0);
    insert(space, "b", 0);
    assertThat(space.reserve(0)).contains(List.of("a"));
    assertThat(space.reserve(0)).contains(List.of("b"));
    assertThat(space.reserve(0)).isEmpty();
  }

  @Test
  void followsALowerQuotaWithTheNextInsert() {
    LeastRecentlyUsed<String> space = new LeastRecentlyUsed<>(30, 100);
    insert(space, "a", 10);
    insert(space, "b", 10);
    insert(space, "c", 10);
    space.quota(20);
    assertThat(space.reserve(10)).contains(List.of("a", "b"));
  }

  @Test
  void refusesSizesThatCannotBe() {
    assertThatThrownBy(() -> new LeastRecentlyUsed<String>(-1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LeastRecentlyUsed<String>(1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The model is a list in order of use and a sum over it. */
  @Test
  void agreesWithAListInOrderOfUse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int quota = 200;
    LeastRecentlyUsed<String> space = new LeastRecentlyUsed<>(quota, 25);
    List<String> model = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      String key = Integer.toString(random.nextInt(60));
      switch (random.nextInt(10)) {
        case 0 -> assertThat(space.forget(key)).as("seed %d", seed).isEqualTo(model.remove(key));
        case 1, 2, 3 -> {
          boolean here = model.remove(key);
          if (here) {
            model.add(key);
          }
          assertThat(space.touch(key)).as("seed %d step %d", seed, step).isEqualTo(here);
        }
        default -> {
          Optional<List<String>> victims = space.reserve(bytes(key));
          List<String> expected = new ArrayList<>();
          while (sum(model) + bytes(key) > quota || model.size() >= 25) {
            expected.add(model.removeFirst());
          }
          assertThat(victims).as("seed %d step %d", seed, step).contains(expected);
          model.remove(key);
          model.add(key);
          space.keep(key, bytes(key));
        }
      }
      assertThat(space.usedBytes()).as("seed %d step %d", seed, step).isEqualTo(sum(model));
      assertThat(space.size()).isEqualTo(model.size());
    }
  }

  private static int bytes(String key) {
    return 1 + Integer.parseInt(key) % 23;
  }

  private static int sum(List<String> keys) {
    return keys.stream().mapToInt(LeastRecentlyUsedTest::bytes).sum();
  }

  @ParameterizedTest
  @CsvSource({"0.1", "0.2", "0.5", "0.75"})
  void hitsAsTheLawOfPermutationsSays(double c) {
    int items = 20_000;
    long seed = 7;
    Random random = new Random(seed);
    LeastRecentlyUsed<Integer> space = new LeastRecentlyUsed<>((long) (c * items), items);
    List<Integer> order = new ArrayList<>(IntStream.range(0, items).boxed().toList());
    int hits = 0;
    int epochs = 6;
    for (int epoch = 0; epoch < epochs; epoch++) {
      Collections.shuffle(order, random);
      for (int item : order) {
        if (space.touch(item)) {
          hits += epoch > 0 ? 1 : 0;
        } else {
          insert(space, item, 1);
        }
      }
    }
    double expected = c + (1 - c) * Math.log(1 - c);
    assertThat(hits / (double) ((epochs - 1) * items)).isCloseTo(expected, within(0.004));
  }

  private static <K> void insert(LeastRecentlyUsed<K> space, K key, long bytes) {
    assertThat(space.reserve(bytes)).isPresent();
    space.keep(key, bytes);
  }
}
