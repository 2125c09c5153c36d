package io.quiver.simulator.shade;

import io.quiver.core.importance.NextUses;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.simulator.keep.Evicting;
import io.quiver.simulator.keep.KeeperCache;
import io.quiver.simulator.keep.LfuCache;
import io.quiver.simulator.keep.MinCache;
import io.quiver.simulator.keep.PriorityCache;
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
      case LRU -> new EvictingReplay(new KeeperCache(KeeperKind.RECENT, capacity));
      case LFU -> new EvictingReplay(new LfuCache(capacity));
      case RANDOM -> new RandomReplay(items, capacity, trace.size().seed());
      case FIRST -> new EvictingReplay(new KeeperCache(KeeperKind.UNIFORM, capacity));
      case SUBSTITUTES -> new SubstitutingReplay(trace, capacity);
      case SCORE -> new ScoreReplay(items, capacity, false);
      case SCORE_AND_USES -> new ScoreReplay(items, capacity, true);
      case APP -> new ScoredReplay(items, capacity);
      case WHOLE_FUTURE -> new EvictingReplay(new MinCache(capacity, items, wholeFuture(trace)));
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

  private static int[] wholeFuture(SampleTrace trace) {
    int items = trace.size().items();
    int[] all = new int[items * trace.size().epochs()];
    for (int epoch = 0; epoch < trace.size().epochs(); epoch++) {
      System.arraycopy(trace.entries(epoch), 0, all, epoch * items, items);
    }
    return all;
  }

  /** Goes by a rule of eviction that knows no scores. */
  private record EvictingReplay(Evicting cache) implements Replay {
    @Override
    public boolean read(int item, int epoch, int place) {
      return cache.read(item, 1);
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

  /** Evicts the lowest score for every newcomer. */
  private static final class ScoreReplay implements Replay {
    /** Low bits of a priority for uses, where these tell apart samples of one score. */
    private static final int USE_BITS = 20;

    private final PriorityCache cache;
    private final boolean byUses;
    private final int[] uses;
    private final int[] scores;

    ScoreReplay(int items, int capacity, boolean byUses) {
      this.cache = new PriorityCache(capacity);
      this.byUses = byUses;
      this.uses = new int[items];
      this.scores = new int[items];
    }

    @Override
    public boolean read(int item, int epoch, int place) {
      boolean hit = cache.holds(item);
      uses[item] = hit ? uses[item] + 1 : 1;
      if (hit) {
        cache.rank(item, priority(item));
      } else {
        cache.add(item, 1, priority(item));
      }
      return hit;
    }

    private long priority(int item) {
      return byUses ? (long) scores[item] << USE_BITS | uses[item] : scores[item];
    }

    @Override
    public void learned(int item, int score) {
      scores[item] = score;
      cache.rank(item, priority(item));
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
