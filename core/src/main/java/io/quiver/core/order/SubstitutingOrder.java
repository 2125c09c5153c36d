package io.quiver.core.order;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Draws as far as possible among what is cached (substitutable hits, Quiver §4.7). Instead of
 * asking for ten times the batch and hoping, it draws directly among the unused members of resident
 * chunks.
 */
final class SubstitutingOrder extends ChunkedOrder {
  private final OrderSetup setup;
  private final BatchSplit split;
  private int stretch;
  private boolean barren;

  private SubstitutingOrder(OrderSetup setup, RankShare share) {
    super(setup, share);
    this.setup = setup;
    this.split = new BatchSplit(share.largestChunk());
  }

  static SubstitutingOrder begin(OrderSetup setup, int epoch) {
    return new SubstitutingOrder(setup, RankShare.whole(setup, epoch));
  }

  static SubstitutingOrder resume(OrderSetup setup, EpochState state) {
    return new SubstitutingOrder(setup, RankShare.rest(setup, state));
  }

  @Override
  public Optional<Draw> draw(Residency residency, RingRole ringRole) {
    int size = share.nextBatch();
    if (size == 0) {
      return Optional.empty();
    }
    // After a draw of which nothing was there, the cache is not believed: the next is fetched.
    return Optional.of(share.send(batch(barren ? Residency.NONE : residency, ringRole, size)));
  }

  private Draw batch(Residency residency, RingRole ringRole, int size) {
    int padding = share.steps().paddingIn(size);
    int own = size - padding;
    int pinned = share.available(residency.pinned());
    int window = share.available(residency.window());
    int unread = share.available();
    int want = split.fromCache(residency.ring(), own, pinned + window, unread);
    int fromWindow = split.fromWindow(want, pinned, window, unread, ringRole);
    int slack = BatchSplit.slack(want, pinned + window, unread, setup.batch());
    chooseStretch(residency, fromWindow, want);
    int[] candidates = new int[want + slack];
    int at = takeAcross(residency.window(), fromWindow, candidates, 0);
    at = takeAtRandom(residency.pinned(), want - fromWindow, candidates, at);
    int more = Math.min(slack, share.available(residency.window()));
    at = takeAcross(residency.window(), more, candidates, at);
    takeAtRandom(residency.pinned(), slack - more, candidates, at);
    int[] fetch = share.withPadding(fetch(residency, own - want, padding), padding);
    return Draw.of(candidates, want, fetch, padding);
  }

  /** Chooses the stretch of a homogeneous batch: the one with the most items left, most likely. */
  private void chooseStretch(Residency residency, int fromWindow, int want) {
    if (alike != null && share.available() > 0) {
      stretch = alike.stretchIn(leadingChunk(residency, fromWindow, want));
    }
  }

  private int leadingChunk(Residency residency, int fromWindow, int want) {
    if (fromWindow > 0) {
      return firstWithItems(residency.window());
    }
    if (want > 0) {
      return residency.pinned().get(new WeightedPicker(left(residency.pinned())).draw(random));
    }
    boolean loading = share.available(residency.loading()) > 0;
    return loading ? firstWithItems(residency.loading()) : absentWithItems();
  }

  private int firstWithItems(List<Integer> chunks) {
    for (int chunk : chunks) {
      if (share.available(chunk) > 0) {
        return chunk;
      }
    }
    throw new IllegalStateException("none of these chunks has an item left: " + chunks);
  }

  /** Returns the chunk with the fewest items left: it has most likely rotated already. */
  private int absentWithItems() {
    int fewest = -1;
    for (int chunk = 0; chunk < setup.chunks(); chunk++) {
      int left = share.available(chunk);
      if (left > 0 && (fewest < 0 || left < share.available(fewest))) {
        fewest = chunk;
      }
    }
    if (fewest < 0) {
      throw new IllegalStateException("no chunk has an item left");
    }
    return fewest;
  }

  private int[] left(List<Integer> chunks) {
    return chunks.stream().mapToInt(share::available).toArray();
  }

  /** Takes from all rotating chunks at once, as {@link BatchSplit#lots} has it. */
  private int takeAcross(List<Integer> window, int count, int[] target, int from) {
    if (alike != null) {
      return alike.takeNear(stretch, window, count, target, from);
    }
    int at = from;
    int end = from + count;
    while (at < end) {
      WeightedPicker picker = new WeightedPicker(split.lots(left(window)));
      for (int stop = Math.min(end, at + picker.total()); at < stop; at++) {
        target[at] = share.take(window.get(picker.draw(random)));
      }
    }
    return at;
  }

  private int takeInOrder(List<Integer> chunks, int count, int[] target, int from) {
    if (alike != null) {
      return alike.takeNear(stretch, chunks, count, target, from);
    }
    int at = from;
    int end = from + count;
    for (int chunk : chunks) {
      while (at < end && share.available(chunk) > 0) {
        target[at++] = share.take(chunk);
      }
    }
    return at;
  }

  /** Takes items at random, each as likely as any other of these chunks. */
  private int takeAtRandom(List<Integer> chunks, int count, int[] target, int from) {
    if (count == 0) {
      return from;
    }
    if (alike != null) {
      return alike.takeNear(stretch, rotated(chunks), count, target, from);
    }
    WeightedPicker picker = new WeightedPicker(left(chunks));
    for (int at = from; at < from + count; at++) {
      target[at] = share.take(chunks.get(picker.draw(random)));
    }
    return from + count;
  }

  /** Begins with any of the chunks, so that none is preferred. */
  private List<Integer> rotated(List<Integer> chunks) {
    List<Integer> rotated = new ArrayList<>(chunks);
    Collections.rotate(rotated, random.below(chunks.size()));
    return rotated;
  }

  /** Takes what no resident chunk has: from those being loaded, then from the absent ones. */
  private int[] fetch(Residency residency, int count, int padding) {
    int[] items = new int[count + padding];
    int loading = Math.min(count, share.available(residency.loading()));
    int at = takeInOrder(residency.loading(), loading, items, 0);
    while (at < count) {
      int chunk = absentWithItems();
      int some = Math.min(count - at, share.available(chunk));
      at = takeInOrder(List.of(chunk), some, items, at);
    }
    return items;
  }

  @Override
  public void settle(Draw draw, int[] delivered) {
    // What was asked for without need comes next; what was not there after all comes later.
    share.settle(draw, delivered, delivered.length == draw.size());
    barren = delivered.length == 0;
  }
}
