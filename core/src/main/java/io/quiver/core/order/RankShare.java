package io.quiver.core.order;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * One rank's part of an epoch, chunk by chunk: what can be drawn, what is out and what was
 * delivered. Two bits for each item tell: free, out (or another rank's), delivered.
 */
final class RankShare {
  private final OrderSetup setup;
  private final ChunkLayout layout;
  private final int epoch;
  private final ItemBits delivered;
  private final ItemBits blocked;
  private final ChunkPool[] pools;
  private final RankSteps steps;
  private final Set<Draw> out = Collections.newSetFromMap(new IdentityHashMap<>());
  private int available;
  private int paddingItem = -1;

  private RankShare(OrderSetup setup, int epoch, ItemBits delivered) {
    this.setup = setup;
    this.layout = setup.layout();
    this.epoch = epoch;
    this.delivered = delivered;
    this.blocked = new ItemBits(setup.items());
    this.pools = new ChunkPool[setup.chunks()];
    this.steps = new RankSteps(setup, setup.items() - delivered.count());
  }

  /** Returns this rank's part of a whole epoch. */
  static RankShare whole(OrderSetup setup, int epoch) {
    RankShare share = new RankShare(setup, epoch, new ItemBits(setup.items()));
    if (setup.homogeneous() && setup.ranks() > 1) {
      share.divideRemaining();
    } else {
      share.divideAll();
    }
    return share;
  }

  /** Returns this rank's part of the rest of an epoch. */
  static RankShare rest(OrderSetup setup, EpochState state) {
    ItemBits delivered = ItemBits.of(setup.items(), state.delivered());
    RankShare share = new RankShare(setup, state.epoch(), delivered);
    share.divideRemaining();
    return share;
  }

  /** Returns the seed of this epoch, equal for all ranks. */
  long seed() {
    return SeededRandom.derive(setup.seed(), epoch);
  }

  /**
   * Gives each rank every ranks-th place of each chunk's order; places go on counting from chunk to
   * chunk.
   */
  private void divideAll() {
    int ranks = setup.ranks();
    int paddingPlace = steps.padding() > 0 ? RankSteps.paddingPlace(setup, setup.items()) : -1;
    int before = 0;
    for (int chunk = 0; chunk < pools.length; chunk++) {
      int first = Math.floorMod(setup.rank() - before, ranks);
      ChunkCursor cursor = new ChunkCursor(layout, chunk, chunkSeed(chunk), first, ranks);
      addPool(chunk, cursor, cursor.reach());
      int size = layout.size(chunk);
      if (paddingPlace >= before && paddingPlace < before + size) {
        paddingItem = cursor.at(paddingPlace - before);
      }
      before += size;
    }
  }

  /** Blocks the items that other ranks own. */
  private void divideRemaining() {
    int remaining = setup.items() - delivered.count();
    int paddingPlace = steps.padding() > 0 ? RankSteps.paddingPlace(setup, remaining) : -1;
    int place = 0;
    for (int chunk = 0; chunk < pools.length; chunk++) {
      ChunkCursor cursor = new ChunkCursor(layout, chunk, chunkSeed(chunk), 0, 1);
      int mine = 0;
      for (int i = 0; i < cursor.reach(); i++) {
        int item = cursor.at(i);
        if (delivered.get(item)) {
          continue;
        }
        if (place % setup.ranks() == setup.rank()) {
          mine++;
        } else {
          blocked.set(item);
        }
        if (place++ == paddingPlace) {
          paddingItem = item;
        }
      }
      addPool(chunk, cursor, mine);
    }
  }

  private void addPool(int chunk, ChunkCursor cursor, int members) {
    pools[chunk] = new ChunkPool(cursor, members, delivered, blocked);
    available += members;
  }

  private long chunkSeed(int chunk) {
    return SeededRandom.derive(seed(), chunk);
  }

  /** Returns how much is left to deliver. */
  RankSteps steps() {
    return steps;
  }

  int available() {
    return available;
  }

  int available(int chunk) {
    if (chunk < 0 || chunk >= pools.length) {
      throw new IllegalArgumentException("chunk " + chunk + " of " + pools.length);
    }
    return pools[chunk].available();
  }

  /** Returns the most items that can be drawn from one chunk. */
  int largestChunk() {
    int most = 0;
    for (ChunkPool pool : pools) {
      most = Math.max(most, pool.available());
    }
    return most;
  }

  int available(List<Integer> chunks) {
    int sum = 0;
    for (int chunk : chunks) {
      sum += available(chunk);
    }
    return sum;
  }

  /**
   * Returns how many items, padding included, the next batch has; 0 when there is none now, also
   * because what it needs is out.
   */
  int nextBatch() {
    int size = steps.next();
    return size - steps.paddingIn(size) <= available ? size : 0;
  }

  /** Draws one item of a chunk that has some. */
  int take(int chunk) {
    available--;
    return pools[chunk].take();
  }

  /** Returns an item of a chunk that has some, at random, without drawing it. */
  int peek(int chunk) {
    return pools[chunk].peek();
  }

  /** Draws an item of a chunk that is free. */
  void take(int chunk, int item) {
    available--;
    pools[chunk].take(item);
  }

  /** Returns true if an item can be drawn, in a share that marks what others own. */
  boolean free(int item) {
    return !delivered.get(item) && !blocked.get(item);
  }

  /** Returns the first free item from one up to but excluding another, or −1. */
  int nextFree(int from, int to) {
    return ItemBits.nextClear(delivered, blocked, from, to);
  }

  /** Fills in the padding, for which the last place is free. */
  int[] withPadding(int[] items, int padding) {
    if (padding > 0) {
      items[items.length - 1] = paddingItem;
    }
    return items;
  }

  /** Lets a draw go out. */
  Draw send(Draw draw) {
    steps.drawn(draw);
    out.add(draw);
    return draw;
  }

  /**
   * Takes a draw back; all that was not delivered can be drawn again.
   *
   * @param soon whether candidates that were not needed are to be drawn before others; those that
   *     were passed over, because they were not there, come later in any case
   */
  void settle(Draw draw, int[] deliveredItems, boolean soon) {
    if (deliveredItems.length > draw.size()) {
      throw new IllegalArgumentException(
          deliveredItems.length + " items delivered for a batch of " + draw.size());
    }
    if (!out.contains(draw)) {
      throw new IllegalArgumentException("this draw was not out, or was settled before");
    }
    int padding = markDelivered(draw, deliveredItems);
    int own = deliveredItems.length - padding;
    int[] candidates = draw.candidates();
    int asked = soon ? afterLastDelivered(candidates) : candidates.length;
    putAway(candidates, 0, asked, false);
    putAway(candidates, asked, candidates.length, true);
    putAway(draw.fetch(), 0, draw.fetchedOwn(), true);
    putAway(draw.spare(), 0, draw.spare().length, true);
    out.remove(draw);
    steps.settled(draw, own, padding);
  }

  /**
   * Sets both bits of the draw's items, of which those delivered keep the first. Returns how many
   * were padding.
   */
  private int markDelivered(Draw draw, int[] deliveredItems) {
    setAll(draw, true);
    int padding = 0;
    for (int item : deliveredItems) {
      if (draw.isPadding(item) && padding < draw.size() - draw.promised()) {
        padding++;
      } else if (item < 0 || item >= setup.items() || !deliver(item)) {
        undo(draw);
        throw new IllegalArgumentException(
            "item " + item + " was not out with this draw, or is delivered twice");
      }
    }
    return padding;
  }

  private boolean deliver(int item) {
    return delivered.get(item) && blocked.clear(item);
  }

  private void undo(Draw draw) {
    setAll(draw, false);
    for (int[] part : List.of(draw.candidates(), draw.fetch(), draw.spare())) {
      for (int item : part) {
        if (!draw.isPadding(item)) {
          blocked.set(item);
        }
      }
    }
  }

  private void setAll(Draw draw, boolean value) {
    setAll(draw.candidates(), draw.candidates().length, value);
    setAll(draw.fetch(), draw.fetchedOwn(), value);
    setAll(draw.spare(), draw.spare().length, value);
  }

  private void setAll(int[] items, int count, boolean value) {
    for (int i = 0; i < count; i++) {
      if (value) {
        delivered.set(items[i]);
      } else {
        delivered.clear(items[i]);
      }
    }
  }

  /**
   * Returns how many candidates were needed or missing: those after the last that was delivered
   * were neither.
   */
  private int afterLastDelivered(int[] candidates) {
    int end = candidates.length;
    while (end > 0 && blocked.get(candidates[end - 1])) {
      end--;
    }
    return end;
  }

  private void putAway(int[] items, int from, int to, boolean soon) {
    for (int i = from; i < to; i++) {
      int item = items[i];
      if (blocked.get(item)) {
        delivered.clear(item);
        pools[layout.chunkOf(item)].giveBack(item, soon);
        available++;
      }
    }
  }

  boolean finished() {
    return steps.finished();
  }

  int epoch() {
    return epoch;
  }

  EpochState state() {
    return new EpochState(setup.seed(), epoch, setup.items(), delivered.words());
  }
}
