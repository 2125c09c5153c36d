package io.quiver.simulator.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.keep.KeeperKind;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class EvictingTest {
  private static final int ITEMS = 2000;
  private static final double SHARE = 0.5;

  private static Map<String, LongFunction<Evicting>> caches() {
    Map<String, LongFunction<Evicting>> caches = new TreeMap<>();
    caches.put("lru", bytes -> new KeeperCache(KeeperKind.RECENT, bytes));
    caches.put("uniform", bytes -> new KeeperCache(KeeperKind.UNIFORM, bytes));
    caches.put("fifo", FifoCache::new);
    caches.put("two random", bytes -> new TwoRandomCache(bytes, new SeededNumbers(3)));
    return caches;
  }

  @Test
  void neverKeepsMoreBytesThanFitAndSaysWhatItKeeps() {
    long capacity = 1000;
    caches()
        .forEach((name, make) -> {
          Evicting cache = make.apply(capacity);
          SeededNumbers numbers = new SeededNumbers(name.hashCode());
          for (int i = 0; i < 20_000; i++) {
            long key = numbers.below(200);
            boolean held = cache.holds(key);
            assertThat(cache.read(key, 1 + key % 17)).as(name).isEqualTo(held);
            assertThat(cache.usedBytes()).as(name).isBetween(1L, capacity);
          }
          assertThat(cache.read(1_000_000, capacity + 1)).as(name).isFalse();
          assertThat(cache.holds(1_000_000)).as(name).isFalse();
        });
  }

  @Test
  void hitsOnPermutationsWhatTheLawsSay() {
    double lru = SHARE + (1 - SHARE) * Math.log(1 - SHARE);
    assertThat(hitRatio("lru")).isCloseTo(lru, within(0.01));
    assertThat(hitRatio("uniform")).isCloseTo(SHARE, within(0.001));
    assertThat(hitRatio("fifo")).isBetween(lru - 0.01, SHARE);
    assertThat(hitRatio("two random")).isBetween(lru, SHARE);
  }

  /** Reads one permutation of all items after another; the first does not count. */
  private static double hitRatio(String name) {
    Evicting cache = Objects.requireNonNull(caches().get(name)).apply((long) (SHARE * ITEMS));
    SeededNumbers numbers = new SeededNumbers(11);
    int epochs = 20;
    int hits = 0;
    for (int epoch = 0; epoch <= epochs; epoch++) {
      for (int item : permutation(numbers)) {
        boolean hit = cache.read(item, 1);
        hits += epoch > 0 && hit ? 1 : 0;
      }
    }
    return (double) hits / (epochs * ITEMS);
  }

  private static int[] permutation(SeededNumbers numbers) {
    int[] order = new int[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
      int other = numbers.below(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }
}
