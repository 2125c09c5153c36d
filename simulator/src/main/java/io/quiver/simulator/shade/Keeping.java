package io.quiver.simulator.shade;

import io.quiver.core.importance.NextUses;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.Ranked;
import io.quiver.core.keep.Recent;
import io.quiver.core.keep.Uniform;
import io.quiver.core.order.ItemList;
import java.util.Arrays;
import java.util.Random;

/** Ways of keeping samples. The keepers are those of the servers where servers have them. */
enum Keeping {
  /** Evicts the longest unused. */
  LRU,
  /** Evicts the least often used, of several the longest unused. */
  LFU,
  /** Evicts any. */
  RANDOM,
  /** Evicts nothing (MinIO, CoorDL). */
  FIRST,
  /** Evicts the first, and reads what is cached in the place of what is not (Quiver). */
  SUBSTITUTES,
  /** Evicts the lowest score for whatever comes. */
  SCORE,
  /** Evicts the lowest score for whatever comes, of several the least often used. */
  SCORE_AND_USES,
  /** Evicts the lowest score for what has at least that (APP). */
  APP,
  /** Evicts the latest next use, and knows the whole future (Belady's MIN). */
  WHOLE_FUTURE,
  /** Evicts the latest next use in the list of the epoch and the next one. */
  TWO_LISTS;

  /** Returns an empty cache of so many samples for a trace. */
  Replay replay(SampleTrace trace, int capacity) {
    int items = trace.size().items();
    return switch (this) {
      case LRU -> new KeptReplay(new Recent(capacity));
      case LFU -> new HeapReplay(items, capacity, (use, score, time) -> use << 40 | time);
      case RANDOM -> new RandomReplay(items, capacity, trace.size().seed());
      case FIRST -> new KeptReplay(new Uniform(capacity));
      case SUBSTITUTES -> new SubstitutingReplay(trace, capacity);
      case SCORE -> new HeapReplay(items, capacity, (use, score, time) -> (long) score);
      case SCORE_AND_USES ->
          new HeapReplay(items, capacity, (use, score, time) -> (long) score << 20 | use);
      case APP -> new ScoredReplay(items, capacity);
      case WHOLE_FUTURE -> new PlannedReplay(new Ranked(capacity), wholeFuture(trace));
      case TWO_LISTS -> new PlannedReplay(new Ranked(capacity), nextEpoch(trace));
    };
  }

  /** The next use of every entry, as far as the future is known in its epoch. */
  @FunctionalInterface
  private interface Foresight {
    long priority(int epoch, int place);
  }

  private static Foresight nextEpoch(SampleTrace trace) {
    int items = trace.size().items();
    NextUses[] uses = new NextUses[trace.size().epochs()];
    Arrays.setAll(
        uses, epoch -> NextUses.of((long) epoch * items, trace.list(epoch), trace.list(epoch + 1)));
    return (epoch, place) -> uses[epoch].priority(place);
  }

  private static Foresight wholeFuture(SampleTrace trace) {
    int items = trace.size().items();
    int[] all = new int[items * trace.size().epochs()];
    for (int epoch = 0; epoch < trace.size().epochs(); epoch++) {
      System.arraycopy(trace.entries(epoch), 0, all, epoch * items, items);
    }
    NextUses uses = NextUses.of(0, new ItemList(items, all), new ItemList(items, new int[0]));
    return (epoch, place) -> uses.priority(epoch * items + place);
  }

  /** Goes by what servers keep without knowing more than reads. */
  private record KeptReplay(Keeper keeper) implements Replay {
    @Override
    public boolean read(int item, int epoch, int place) {
      boolean hit = keeper.touch(item);
      if (!hit) {
        keeper.offer(item, 1, Ranked.UNKNOWN, victim -> {});
      }
      return hit;
    }
  }

  /** Goes by the next use of each sample. */
  private record PlannedReplay(Ranked keeper, Foresight foresight) implements Replay {
    @Override
    public boolean read(int item, int epoch, int place) {
      long priority = foresight.priority(epoch, place);
      boolean hit = keeper.touch(item);
      if (hit) {
        keeper.rank(item, priority);
      } else {
        keeper.offer(item, 1, priority, victim -> {});
      }
      return hit;
    }
  }

  /** Makes the priority of a sample in a heap. */
  @FunctionalInterface
  private interface HeapPriority {
    long of(long uses, int score, long time);
  }

  /** Evicts the lowest of some priority for every newcomer. */
  private static final class HeapReplay implements Replay {
    private final HeapCache cache;
    private final HeapPriority priority;
    private final int[] uses;
    private final int[] scores;
    private long time;

    HeapReplay(int items, int capacity, HeapPriority priority) {
      this.cache = new HeapCache(items, capacity);
      this.priority = priority;
      this.uses = new int[items];
      this.scores = new int[items];
    }

    @Override
    public boolean read(int item, int epoch, int place) {
      time++;
      boolean hit = cache.holds(item);
      uses[item] = hit ? uses[item] + 1 : 1;
      long rank = priority.of(uses[item], scores[item], time);
      if (hit) {
        cache.rank(item, rank);
      } else {
        cache.add(item, rank);
      }
      return hit;
    }

    @Override
    public void learned(int item, int score) {
      scores[item] = score;
      if (cache.holds(item)) {
        cache.rank(item, priority.of(uses[item], score, time));
      }
    }
  }

  /** Evicts any sample for a newcomer, all with the same chance. */
  private static final class RandomReplay implements Replay {
    private final int[] kept;
    private final boolean[] present;
    private final Random random;
    private int size;

    RandomReplay(int items, int capacity, long seed) {
      this.kept = new int[capacity];
      this.present = new boolean[items];
      this.random = new Random(seed);
    }

    @Override
    public boolean read(int item, int epoch, int place) {
      if (present[item] || kept.length == 0) {
        return present[item];
      }
      int at = size < kept.length ? size++ : random.nextInt(kept.length);
      present[kept[at]] = false;
      kept[at] = item;
      present[item] = true;
      return false;
    }
  }
}
