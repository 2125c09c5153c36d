package io.quiver.simulator.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.keep.KeeperKind;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares caches with slow models of themselves, and all of them with the best there is. */
class CacheModelTest {
  private static final int ITEMS = 60;
  private static final int READS = 4000;
  private static final int CAPACITY = 17;

  /** Reads with some skew, runs of neighbours and now and then another set of popular items. */
  private static int[] reads(long seed) {
    SeededNumbers numbers = new SeededNumbers(seed);
    int[] reads = new int[READS];
    int hot = 0;
    for (int i = 0; i < READS; i++) {
      hot = numbers.below(300) == 0 ? numbers.below(ITEMS) : hot;
      int rank = numbers.below(1 + numbers.below(ITEMS));
      boolean goesOn = i > 0 && numbers.below(4) == 0;
      reads[i] = goesOn ? (reads[i - 1] + 1) % ITEMS : (hot + rank) % ITEMS;
    }
    return reads;
  }

  private static List<Long> seeds() {
    return IntStream.range(0, 20).mapToObj(i -> System.nanoTime() + i).toList();
  }

  private static void assertAlike(Evicting cache, CacheModel model, int[] reads, long seed) {
    for (int i = 0; i < reads.length; i++) {
      assertThat(cache.read(reads[i], 1))
          .as("read %d of item %d, seed %d", i, reads[i], seed)
          .isEqualTo(model.read(reads[i]));
      assertThat(cache.usedBytes()).isLessThanOrEqualTo(CAPACITY);
    }
  }

  @Test
  void arcDecidesAsItsPaperSays() {
    for (long seed : seeds()) {
      ArcCache cache = new ArcCache(CAPACITY);
      CacheModel.Arc model = new CacheModel.Arc(CAPACITY);
      assertAlike(cache, model, reads(seed), seed);
      assertThat(cache.onceTarget()).as("seed %d", seed).isEqualTo(model.target());
    }
  }

  @Test
  void sieveDecidesAsItsModel() {
    for (long seed : seeds()) {
      assertAlike(new SieveCache(CAPACITY), new CacheModel.Sieve(CAPACITY), reads(seed), seed);
    }
  }

  @Test
  void leastFrequentlyUsedDecidesAsItsModel() {
    for (long seed : seeds()) {
      assertAlike(new LfuCache(CAPACITY), new CacheModel.Lfu(CAPACITY), reads(seed), seed);
    }
  }

  private static int hits(Evicting cache, int[] reads) {
    int hits = 0;
    for (int read : reads) {
      hits += cache.read(read, 1) ? 1 : 0;
    }
    return hits;
  }

  @Test
  void minHitsAsOftenAsASearchOfTheFuture() {
    for (long seed : seeds().subList(0, 3)) {
      int[] reads = reads(seed);
      CacheModel model = new CacheModel.Min(CAPACITY, reads);
      int expected = 0;
      for (int read : reads) {
        expected += model.read(read) ? 1 : 0;
      }
      assertThat(hits(new MinCache(CAPACITY, ITEMS, reads), reads))
          .as("seed %d", seed)
          .isEqualTo(expected);
    }
  }

  private static Map<String, Evicting> others(int capacity) {
    Map<String, Evicting> caches = new TreeMap<>();
    caches.put("arc", new ArcCache(capacity));
    caches.put("sieve", new SieveCache(capacity));
    caches.put("lfu", new LfuCache(capacity));
    caches.put("fifo", new FifoCache(capacity));
    caches.put("two random", new TwoRandomCache(capacity, new SeededNumbers(5)));
    caches.put("lru", new KeeperCache(KeeperKind.RECENT, capacity));
    caches.put("uniform", new KeeperCache(KeeperKind.UNIFORM, capacity));
    caches.put("fifo3", new KeeperCache(KeeperKind.FIFO3, capacity));
    return caches;
  }

  @Test
  void nobodyBeatsMin() {
    for (long seed : seeds()) {
      int[] reads = reads(seed);
      for (int capacity : new int[] {1, 5, CAPACITY, ITEMS - 1}) {
        int most = hits(new MinCache(capacity, ITEMS, reads), reads);
        others(capacity)
            .forEach((name, cache) ->
                assertThat(hits(cache, reads))
                    .as("%s with %d of %d items, seed %d", name, capacity, ITEMS, seed)
                    .isLessThanOrEqualTo(most));
      }
    }
  }

  @Test
  void minRefusesReadsThatWereNotAnnounced() {
    MinCache cache = new MinCache(2, 3, new int[] {0, 1});
    assertThat(cache.read(0, 1)).isFalse();
    List<String> messages = new ArrayList<>();
    for (int key : new int[] {2, 1, 1}) {
      try {
        cache.read(key, 1);
      } catch (IllegalStateException e) {
        messages.add(String.valueOf(e.getMessage()));
      }
    }
    assertThat(messages).hasSize(2).allMatch(message -> message.contains("announce"));
  }

  @Test
  void capacityIsNeverExceededWithItemsOfAnyLength() {
    for (long seed : seeds()) {
      long capacity = 500;
      SeededNumbers numbers = new SeededNumbers(seed);
      ArcCache arc = new ArcCache(capacity);
      List<Evicting> caches = List.of(arc, new SieveCache(capacity), new LfuCache(capacity));
      for (int i = 0; i < READS; i++) {
        long key = numbers.below(ITEMS);
        long bytes = 1 + key * key % 90;
        for (Evicting cache : caches) {
          boolean held = cache.holds(key);
          assertThat(cache.read(key, bytes)).isEqualTo(held);
          assertThat(cache.holds(key)).isTrue();
          assertThat(cache.usedBytes()).as("seed %d", seed).isBetween(bytes, capacity);
        }
        assertThat(arc.usedBytes() + arc.ghostBytes())
            .as("seed %d", seed)
            .isLessThanOrEqualTo(2 * capacity);
      }
      caches.forEach(cache -> {
        long used = cache.usedBytes();
        assertThat(cache.read(ITEMS, capacity + 1)).isFalse();
        assertThat(cache.holds(ITEMS)).isFalse();
        assertThat(cache.usedBytes()).isEqualTo(used);
      });
    }
  }

  @Test
  void arcKeepsALoopThroughScansAndGivesItUpForRecency() {
    ArcCache arc = new ArcCache(100);
    Evicting lru = new KeeperCache(KeeperKind.RECENT, 100);
    int arcHits = 0;
    int lruHits = 0;
    int next = 1000;
    for (int round = 0; round < 100; round++) {
      boolean counts = round >= 2;
      for (int item = 0; item < 60; item++) {
        boolean arcHit = arc.read(item, 1);
        boolean lruHit = lru.read(item, 1);
        arcHits += arcHit && counts ? 1 : 0;
        lruHits += lruHit && counts ? 1 : 0;
      }
      // After a short scan the loop is read for the second time: then scans may be long.
      int scanned = round == 0 ? 30 : 400;
      for (int item = 0; item < scanned; item++) {
        arc.read(next, 1);
        lru.read(next++, 1);
      }
    }
    assertThat(lruHits).isZero();
    assertThat(arcHits).isEqualTo(98 * 60);
    double before = arc.onceTarget();
    // Items that come back once, a little later than the queue of such items reaches, and no more.
    for (int i = 0; i < 2000; i++) {
      arc.read(next++, 1);
      arc.read(next - 70L, 1);
    }
    assertThat(arc.onceTarget()).isGreaterThan(before + 10);
  }

  @Test
  void aPriorityCacheEvictsTheLowestForWhateverComes() {
    PriorityCache cache = new PriorityCache(3);
    cache.add(1, 1, 10);
    cache.add(2, 1, 20);
    cache.add(3, 1, 30);
    cache.rank(1, 40);
    cache.rank(99, 1);
    cache.add(4, 1, 5);
    assertThat(cache.holds(2)).isFalse();
    cache.add(5, 2, 6);
    assertThat(IntStream.rangeClosed(1, 5).filter(cache::holds)).containsExactly(1, 5);
    assertThat(cache.priority(1)).isEqualTo(40);
    cache.add(6, 4, 100);
    assertThat(cache.holds(6)).isFalse();
    assertThat(cache.usedBytes()).isEqualTo(3);
  }

  @Test
  void aPriorityCacheKeepsTheHighestOfWhatItWasTold() {
    for (long seed : seeds()) {
      SeededNumbers numbers = new SeededNumbers(seed);
      PriorityCache cache = new PriorityCache(CAPACITY);
      Map<Long, Long> model = new TreeMap<>();
      for (int i = 0; i < READS; i++) {
        long key = numbers.below(ITEMS);
        long priority = (long) numbers.below(1_000_000) * READS + i; // no two alike
        assertThat(cache.holds(key)).as("seed %d", seed).isEqualTo(model.containsKey(key));
        if (model.containsKey(key)) {
          assertThat(cache.priority(key)).isEqualTo(model.get(key));
          cache.rank(key, priority);
        } else {
          if (model.size() == CAPACITY) {
            model.values().remove(Collections.min(model.values()));
          }
          cache.add(key, 1, priority);
        }
        model.put(key, priority);
      }
    }
  }
}
