package io.quiver.core.order;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One seeded global shuffle, bit-identical run to run whatever is cached. It never substitutes;
 * since the order is known, a loader can read ahead instead ({@link #upcoming}).
 *
 * <p>Items that could not be delivered come first in the next draw.
 */
final class StrictOrder implements EpochOrder {
  private final OrderSetup setup;
  private final int epoch;
  private final ItemBits before;
  private final ItemBits delivered;
  private final StrictWalk order;
  private final RankSteps steps;
  private final int paddingItem;
  private final Deque<Integer> returned = new ArrayDeque<>();
  private final Set<Draw> out = Collections.newSetFromMap(new IdentityHashMap<>());
  private int unwalked;
  private int @Nullable [] perChunk;

  private StrictOrder(OrderSetup setup, int epoch, ItemBits before) {
    if (setup.homogeneous()) {
      throw new IllegalArgumentException(
          "strict order cannot make homogeneous batches; use the sampler substitute or paper");
    }
    this.setup = setup;
    this.epoch = epoch;
    this.before = before;
    this.delivered = ItemBits.of(setup.items(), before.words());
    this.order = new StrictWalk(setup, epoch, before);
    int remaining = setup.items() - before.count();
    this.steps = new RankSteps(setup, remaining);
    this.unwalked = steps.unpromised();
    this.paddingItem = steps.padding() > 0 ? paddingItem(remaining) : -1;
  }

  static StrictOrder begin(OrderSetup setup, int epoch) {
    return new StrictOrder(setup, epoch, new ItemBits(setup.items()));
  }

  static StrictOrder resume(OrderSetup setup, EpochState state) {
    return new StrictOrder(setup, state.epoch(), ItemBits.of(setup.items(), state.delivered()));
  }

  private int paddingItem(int remaining) {
    int place = RankSteps.paddingPlace(setup, remaining);
    OrderSetup owner = setup.withRank(place % setup.ranks(), setup.ranks());
    StrictWalk walk = new StrictWalk(owner, epoch, before);
    for (int i = place / setup.ranks(); i > 0; i--) {
      walk.next();
    }
    return walk.next();
  }

  @Override
  public Optional<Draw> draw(Residency residency, RingRole ringRole) {
    int size = steps.next();
    if (size == 0) {
      return Optional.empty();
    }
    int padding = steps.paddingIn(size);
    int[] items = new int[size];
    for (int i = 0; i < size - padding; i++) {
      items[i] = nextItem();
    }
    if (padding > 0) {
      items[size - 1] = paddingItem;
    }
    Draw draw = Draw.exactly(items, padding);
    steps.drawn(draw);
    out.add(draw);
    return Optional.of(draw);
  }

  private int nextItem() {
    Integer again = returned.poll();
    int item = again != null ? again : order.next();
    unwalked -= again != null ? 0 : 1;
    count(item, -1);
    return item;
  }

  @Override
  public void settle(Draw draw, int[] deliveredItems) {
    if (!out.contains(draw)) {
      throw new IllegalArgumentException("this draw was not out, or was settled before");
    }
    int own = markDelivered(draw, deliveredItems);
    for (int i = 0; i < draw.fetchedOwn(); i++) {
      int item = draw.fetch()[i];
      if (!delivered.get(item)) {
        returned.add(item);
        count(item, 1);
      }
    }
    out.remove(draw);
    steps.settled(draw, own, deliveredItems.length - own);
  }

  /** Checks that all were out with this draw before anything changes; returns how many count. */
  private int markDelivered(Draw draw, int[] deliveredItems) {
    int[] given = deliveredItems.clone();
    int[] drawn = draw.fetch().clone();
    Arrays.sort(given);
    Arrays.sort(drawn);
    int at = 0;
    for (int item : given) {
      while (at < drawn.length && drawn[at] < item) {
        at++;
      }
      if (at == drawn.length || drawn[at++] != item) {
        throw new IllegalArgumentException(
            "item " + item + " was not out with this draw, or is delivered twice");
      }
    }
    int own = 0;
    for (int item : given) {
      if (!draw.isPadding(item)) {
        delivered.set(item);
        own++;
      }
    }
    return own;
  }

  @Override
  public EpochState state() {
    return new EpochState(setup.seed(), epoch, setup.items(), delivered.words());
  }

  @Override
  public boolean finished() {
    return steps.finished();
  }

  @Override
  public int available() {
    return steps.unpromised();
  }

  /** Returns the items left of a chunk, counted by one walk when first asked for. */
  @Override
  public int available(int chunk) {
    int[] counts = perChunk;
    if (counts == null) {
      counts = new int[setup.chunks()];
      perChunk = counts;
      countUndrawn(counts);
    }
    return counts[chunk];
  }

  private void countUndrawn(int[] counts) {
    ChunkLayout layout = setup.layout();
    returned.forEach(item -> counts[layout.chunkOf(item)]++);
    StrictWalk walk = order.copy();
    for (int i = 0; i < unwalked; i++) {
      counts[layout.chunkOf(walk.next())]++;
    }
  }

  private void count(int item, int change) {
    if (perChunk != null) {
      perChunk[setup.layout().chunkOf(item)] += change;
    }
  }

  @Override
  public int[] upcoming(int count) {
    int known = returned.size() + unwalked;
    int[] items = new int[Math.min(Math.max(0, count), known)];
    int at = 0;
    for (int item : returned) {
      if (at < items.length) {
        items[at++] = item;
      }
    }
    StrictWalk walk = order.copy();
    while (at < items.length) {
      items[at++] = walk.next();
    }
    return items;
  }

  @Override
  public int epoch() {
    return epoch;
  }
}
