package io.quiver.core.sampling;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Draws the batches of one rank for one epoch after another: every item exactly once per epoch over
 * all ranks, in random order, and as far as possible among what the cache holds (substitutable
 * hits, Quiver §4.7). Instead of asking for ten times the batch and hoping, it draws directly among
 * the unused members of resident chunks.
 *
 * <p>Not thread-safe: sampling happens in one place. A draw is out of the sampler's hands until it
 * is settled; several may be out at once. Memory is two bits for each item and a few words for each
 * chunk.
 */
public final class EpochSampler {
  /** When fewer than this many batches are left, every candidate is asked for. */
  private static final int TAIL_BATCHES = 10;

  private final SamplerSetup setup;
  private final ChunkLayout layout;
  private final int epoch;
  private final ItemBits delivered;
  private final ItemBits blocked;
  private final ChunkPool[] pools;
  private final SeededRandom random;
  private int out;
  private double windowCarry;
  private int nextAbsent;

  private EpochSampler(SamplerSetup setup, int epoch, ItemBits delivered, boolean resumed) {
    this.setup = setup;
    this.layout = setup.layout();
    this.epoch = epoch;
    this.delivered = delivered;
    this.blocked = new ItemBits(setup.items());
    this.pools = new ChunkPool[setup.chunks()];
    long seed = SeededRandom.derive(setup.seed(), epoch);
    this.random = new SeededRandom(SeededRandom.derive(seed, -1 - setup.rank()));
    if (resumed) {
      shareRemaining(seed);
    } else {
      shareAll(seed);
    }
  }

  /** The beginning of an epoch. */
  public static EpochSampler begin(SamplerSetup setup, int epoch) {
    return new EpochSampler(setup, epoch, new ItemBits(setup.items()), false);
  }

  /**
   * The rest of an epoch, divided anew among the ranks.
   *
   * @param state what all ranks together had delivered
   */
  public static EpochSampler resume(SamplerSetup setup, EpochState state) {
    if (state.items() != setup.items() || state.seed() != setup.seed()) {
      throw new IllegalArgumentException(
          "a state of "
              + state.items()
              + " items and seed "
              + state.seed()
              + " does not fit a job of "
              + setup.items()
              + " items and seed "
              + setup.seed());
    }
    ItemBits delivered = ItemBits.of(setup.items(), state.delivered());
    return new EpochSampler(setup, state.epoch(), delivered, true);
  }

  /**
   * Every rank owns every ranks-th place of each chunk's order; places go on counting from chunk to
   * chunk.
   */
  private void shareAll(long seed) {
    int ranks = setup.ranks();
    long before = 0;
    for (int chunk = 0; chunk < pools.length; chunk++) {
      int first = (int) Math.floorMod(setup.rank() - before, (long) ranks);
      ChunkCursor cursor =
          new ChunkCursor(layout, chunk, SeededRandom.derive(seed, chunk), first, ranks);
      pools[chunk] = new ChunkPool(cursor, cursor.reach(), delivered, blocked);
      before += layout.size(chunk);
    }
  }

  /** What others own of the rest is blocked for good. */
  private void shareRemaining(long seed) {
    long before = 0;
    for (int chunk = 0; chunk < pools.length; chunk++) {
      long chunkSeed = SeededRandom.derive(seed, chunk);
      ChunkCursor walk = new ChunkCursor(layout, chunk, chunkSeed, 0, 1);
      int available = 0;
      for (int i = walk.reach(); i > 0; i--) {
        int item = walk.next();
        if (delivered.get(item)) {
          continue;
        }
        if (before++ % setup.ranks() == setup.rank()) {
          available++;
        } else {
          blocked.set(item);
        }
      }
      ChunkCursor cursor = new ChunkCursor(layout, chunk, chunkSeed, 0, 1);
      pools[chunk] = new ChunkPool(cursor, available, delivered, blocked);
    }
  }

  /** Items of this rank that can be drawn now. */
  public int available() {
    return Arrays.stream(pools).mapToInt(ChunkPool::available).sum();
  }

  /** Items of this rank in a chunk that can be drawn now. */
  public int available(int chunk) {
    return pools[chunk].available();
  }

  /** Whether every batch of this rank has been delivered. */
  public boolean finished() {
    return out == 0 && (setup.dropLast() ? available() < setup.batch() : available() == 0);
  }

  /**
   * What to read for the next batch; empty while what is left is out, or at the end of the epoch.
   */
  public Optional<Draw> draw(Residency residency, Pace pace) {
    int left = available();
    if (left == 0 || (left < setup.batch() && (out > 0 || setup.dropLast()))) {
      return Optional.empty();
    }
    int size = Math.min(setup.batch(), left);
    int pinned = available(residency.pinned());
    int window = available(residency.window());
    int want = Math.min(size, pinned + window);
    int fromWindow = fromWindow(want, pinned, window, left, pace);
    int slack = slack(left, want, pinned + window);
    int[] candidates = new int[want + slack];
    int at = takeInOrder(residency.window(), fromWindow, candidates, 0);
    at = takeAtRandom(residency.pinned(), want - fromWindow, candidates, at);
    int more = Math.min(slack, available(residency.window()));
    at = takeInOrder(residency.window(), more, candidates, at);
    takeAtRandom(residency.pinned(), slack - more, candidates, at);
    Draw draw = new Draw(candidates, want, fetch(residency, size - want));
    out += candidates.length + draw.fetch().length;
    return Optional.of(draw);
  }

  /** How many of the wanted items come from the window. */
  private int fromWindow(int want, int pinned, int window, int left, Pace pace) {
    if (pace == Pace.FOLLOWS) {
      return Math.min(want, window);
    }
    double share = windowCarry + (double) want * (left - pinned) / left;
    int taken =
        Math.clamp(Math.round(share), want - Math.min(want, pinned), Math.min(want, window));
    windowCarry = Math.clamp(share - taken, -1.0, 1.0);
    return taken;
  }

  /** How many more candidates to name than are wanted, in case some are not there after all. */
  private int slack(int left, int want, int resident) {
    int spare = resident - want;
    boolean tail = left < (long) TAIL_BATCHES * setup.batch();
    return tail ? spare : Math.min(spare, want / 8);
  }

  private int available(List<Integer> chunks) {
    int sum = 0;
    for (int chunk : chunks) {
      sum += pools[chunk].available();
    }
    return sum;
  }

  private int takeInOrder(List<Integer> chunks, int count, int[] target, int at) {
    int end = at + count;
    for (int chunk : chunks) {
      while (at < end && pools[chunk].available() > 0) {
        target[at++] = pools[chunk].take();
      }
    }
    return at;
  }

  /** Each item as likely as any other of these chunks. */
  private int takeAtRandom(List<Integer> chunks, int count, int[] target, int at) {
    int total = available(chunks);
    for (int end = at + count; at < end; total--) {
      int ticket = random.below(total);
      for (int chunk : chunks) {
        ticket -= pools[chunk].available();
        if (ticket < 0) {
          target[at++] = pools[chunk].take();
          break;
        }
      }
    }
    return at;
  }

  /** What no resident chunk has: from those being loaded, then from the absent ones in turn. */
  private int[] fetch(Residency residency, int count) {
    int[] items = new int[count];
    int at =
        takeInOrder(residency.loading(), Math.min(count, available(residency.loading())), items, 0);
    while (at < count) {
      ChunkPool pool = pools[nextAbsent];
      if (pool.available() > 0) {
        items[at++] = pool.take();
      } else {
        nextAbsent = (nextAbsent + 1) % pools.length;
      }
    }
    return items;
  }

  /**
   * Ends a draw: the items given were delivered to the training loop, all its others go back.
   *
   * @param deliveredItems a part of the draw's items, each at most once
   */
  public void settle(Draw draw, int[] deliveredItems) {
    for (int item : deliveredItems) {
      if (!blocked.get(item) || !delivered.set(item)) {
        throw new IllegalArgumentException(
            "item " + item + " was not out, or was delivered before in this epoch");
      }
    }
    Stream.of(draw.candidates(), draw.fetch()).flatMapToInt(Arrays::stream).forEach(this::putAway);
    out -= draw.candidates().length + draw.fetch().length;
  }

  private void putAway(int item) {
    if (delivered.get(item)) {
      blocked.clear(item);
    } else {
      pools[layout.chunkOf(item)].giveBack(item);
    }
  }

  /** Where this rank stands, without what is out. */
  public EpochState state() {
    return new EpochState(setup.seed(), epoch, setup.items(), delivered.words());
  }
}
