package io.quiver.simulator.shade;

import io.quiver.core.importance.NextUses;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.Ranked;
import io.quiver.core.keep.Recent;
import io.quiver.core.keep.Uniform;
import io.quiver.core.order.ItemList;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * A way of choosing samples together with a way of keeping them, under the name that tables have.
 * The keepers are those of the servers where servers have them.
 */
enum SamplePolicy {
  /** The paper's baseline. */
  LRU(SampleTrace.Sampling.SHUFFLE),
  /** A shared cache that evicts nothing (CoorDL). */
  MINIO(SampleTrace.Sampling.SHUFFLE),
  LRU_SAME_DRAWS(SampleTrace.Sampling.RANKS),
  LFU(SampleTrace.Sampling.RANKS),
  RANDOM(SampleTrace.Sampling.RANKS),
  /** Belady's: evicts what is used last, and knows the whole future. */
  MIN(SampleTrace.Sampling.RANKS),
  SH_PQLFU(SampleTrace.Sampling.BATCH_LOSSES),
  SH_PQ(SampleTrace.Sampling.BATCH_LOSSES),
  SH_LRU(SampleTrace.Sampling.BATCH_LOSSES),
  SH_LFU(SampleTrace.Sampling.BATCH_LOSSES),
  SH_RAND(SampleTrace.Sampling.BATCH_LOSSES),
  SH_APP(SampleTrace.Sampling.BATCH_LOSSES),
  SHADE_PAPER(SampleTrace.Sampling.RANKS),
  SHADE(SampleTrace.Sampling.AHEAD);

  private final SampleTrace.Sampling sampling;

  SamplePolicy(SampleTrace.Sampling sampling) {
    this.sampling = sampling;
  }

  SampleTrace.Sampling sampling() {
    return sampling;
  }

  /** Returns the name in tables and documents. */
  String text() {
    String name = name().toLowerCase(Locale.ROOT);
    return name.startsWith("sh_") ? name : name.replace('_', '-');
  }

  /** Returns an empty cache of so many samples for a trace. */
  Replay replay(SampleTrace trace, int capacity) {
    int items = trace.size().items();
    return switch (this) {
      case LRU, LRU_SAME_DRAWS, SH_LRU -> new KeptReplay(new Recent(capacity));
      case MINIO -> new KeptReplay(new Uniform(capacity));
      case LFU, SH_LFU -> new HeapReplay(items, capacity, (use, score, time) -> use << 40 | time);
      case RANDOM, SH_RAND -> {
        Random random = new Random(trace.size().seed());
        // What a sample is given when it comes stays until it goes.
        yield new HeapReplay(items, capacity, (use, score, time) -> random.nextLong() >>> 1);
      }
      case SH_PQ -> new HeapReplay(items, capacity, (use, score, time) -> (long) score);
      case SH_PQLFU ->
          new HeapReplay(items, capacity, (use, score, time) -> (long) score << 20 | use);
      case SH_APP, SHADE_PAPER -> new ScoredReplay(new Ranked(capacity), items);
      case MIN -> new PlannedReplay(new Ranked(capacity), wholeFuture(trace));
      case SHADE -> new PlannedReplay(new Ranked(capacity), nextEpoch(trace));
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
      System.arraycopy(trace.list(epoch).entries(), 0, all, epoch * items, items);
    }
    NextUses uses = NextUses.of(0, new ItemList(items, all), new ItemList(items, new int[0]));
    return (epoch, place) -> uses.priority(epoch * items + place);
  }

  /** A cache that samples pass through one by one; told of scores when a batch is learned. */
  interface Replay {
    /** Reads a sample; returns true if the cache had it. */
    boolean read(int item, int epoch, int place);

    /** Notes a sample's latest score. */
    default void learned(int item, int score) {}
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

  /** Goes by the latest score of each sample, which the job remembers of all (APP). */
  private static final class ScoredReplay implements Replay {
    private final Ranked keeper;
    private final long[] ghost;

    ScoredReplay(Ranked keeper, int items) {
      this.keeper = keeper;
      this.ghost = new long[items];
      Arrays.fill(ghost, Ranked.UNKNOWN);
    }

    @Override
    public boolean read(int item, int epoch, int place) {
      boolean hit = keeper.touch(item);
      if (!hit) {
        keeper.offer(item, 1, ghost[item], victim -> {});
      }
      return hit;
    }

    @Override
    public void learned(int item, int score) {
      ghost[item] = score;
      keeper.rank(item, score);
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
    }
  }
}
