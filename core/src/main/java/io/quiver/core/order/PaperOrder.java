package io.quiver.core.order;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Algorithm 1 of the Quiver paper to the letter, for comparison: it knows nothing of residency but
 * the current chunk. A draw names ten times the batch among the pending items, at random; whichever
 * are there fill the batch, the others stay pending for the next pass over the list (§4.7). What is
 * lacking is read from the job's current chunk, one chunk after another (§5.1), so that jobs miss
 * on the same chunk and each read serves them all.
 *
 * <p>Its defects are mended: what a miss reads counts as used, a batch at the end may be short, and
 * a chunk that a partly filled batch drained is seen to be drained.
 */
final class PaperOrder extends ChunkedOrder {
  private static final int OVERSAMPLING = 10;

  private final int batch;
  private final int[] unseen;
  private int stretch;
  private int currentChunk = -1;
  private int lacking;

  private PaperOrder(OrderSetup setup, RankShare share) {
    super(setup, share);
    this.batch = setup.batch();
    this.unseen = new int[setup.chunks()];
  }

  static PaperOrder begin(OrderSetup setup, int epoch) {
    return new PaperOrder(setup, RankShare.whole(setup, epoch));
  }

  static PaperOrder resume(OrderSetup setup, EpochState state) {
    return new PaperOrder(setup, RankShare.rest(setup, state));
  }

  @Override
  public Optional<Draw> draw(Residency residency, RingRole ringRole) {
    int size = share.nextBatch();
    if (size == 0) {
      return Optional.empty();
    }
    if (currentChunk < 0) {
      currentChunk = newest(residency);
    }
    int padding = share.steps().paddingIn(size);
    int own = size - padding;
    currentChunk = nextWithItems(currentChunk);
    chooseStretch();
    int[] fetch = new int[Math.min(lacking, own) + padding];
    currentChunk = takeOneAfterAnother(currentChunk, fetch, fetch.length - padding);
    lacking -= fetch.length - padding;
    int want = own - (fetch.length - padding);
    int[] candidates = pending((int) Math.min(share.available(), (long) want * OVERSAMPLING));
    int[] spare = new int[Math.min(want, share.available())];
    takeOneAfterAnother(currentChunk, spare, spare.length);
    Draw draw = Draw.of(candidates, want, share.withPadding(fetch, padding), padding);
    return Optional.of(share.send(draw.withSpare(spare)));
  }

  /** Returns the newest chunk: the one being loaded, or else the one that will stay longest. */
  private static int newest(Residency residency) {
    if (!residency.loading().isEmpty()) {
      return residency.loading().getFirst();
    }
    return residency.window().isEmpty() ? 0 : residency.window().getLast();
  }

  /** Draws pending items in random order; each is named once in a pass. */
  private int[] pending(int count) {
    int[] items = new int[count];
    int at = alike == null ? 0 : alike.takeNear(stretch, count, items, 0);
    while (at < count) {
      WeightedPicker picker = unseenPicker();
      for (int end = Math.min(count, at + picker.total()); at < end; at++) {
        int chunk = picker.draw(random);
        items[at] = share.take(chunk);
        unseen[chunk]--;
      }
    }
    return items;
  }

  /** Returns what was not named in this pass; a new pass begins when that is nothing. */
  private WeightedPicker unseenPicker() {
    boolean any = false;
    for (int chunk = 0; chunk < unseen.length; chunk++) {
      unseen[chunk] = Math.min(unseen[chunk], share.available(chunk));
      any |= unseen[chunk] > 0;
    }
    for (int chunk = 0; chunk < unseen.length && !any; chunk++) {
      unseen[chunk] = share.available(chunk);
    }
    return new WeightedPicker(unseen);
  }

  /** Chooses the stretch of a homogeneous batch: the one with the most items left, most likely. */
  private void chooseStretch() {
    if (alike != null && share.available() > 0) {
      int[] left = new int[unseen.length];
      Arrays.setAll(left, share::available);
      stretch = alike.stretchIn(new WeightedPicker(left).draw(random));
    }
  }

  /** Takes from one chunk after another; returns the one it came to. */
  private int takeOneAfterAnother(int from, int[] target, int count) {
    int chunk = from;
    int at = 0;
    while (at < count) {
      chunk = nextWithItems(chunk);
      int some = Math.min(count - at, share.available(chunk));
      at = takeFrom(chunk, some, target, at);
    }
    return chunk;
  }

  /** Returns this chunk, or the next one that has something left; this one if none has. */
  private int nextWithItems(int from) {
    int chunk = from;
    for (int i = 0; i < unseen.length && share.available(chunk) == 0; i++) {
      chunk = (chunk + 1) % unseen.length;
    }
    return chunk;
  }

  private int takeFrom(int chunk, int count, int[] target, int from) {
    if (alike != null) {
      return alike.takeNear(stretch, List.of(chunk), count, target, from);
    }
    for (int at = from; at < from + count; at++) {
      target[at] = share.take(chunk);
    }
    return from + count;
  }

  @Override
  public void settle(Draw draw, int[] delivered) {
    share.settle(draw, delivered, false);
    lacking = Math.min(batch, lacking + draw.size() - delivered.length);
  }
}
