package io.quiver.core.order;

import java.util.List;

/**
 * Takes items that lie near each other in the data set, so that those of a batch are alike in what
 * the data set is sorted by, such as the length of a sequence (Quiver, §5.1): from one stretch of
 * the data set as far as it lasts, then from those next to it. There are about as many stretches as
 * chunks, so that a chunk has a good choice of items in each and the same few do not always meet.
 *
 * <p>Needs a share in which everything that is not free is marked.
 */
final class HomogeneousItems {
  /** Random guesses before the bits are searched. */
  private static final int PROBES = 4;

  private final RankShare share;
  private final ChunkLayout layout;
  private final SeededRandom random;
  private final int partitionsEach;
  private final int stretches;

  HomogeneousItems(RankShare share, ChunkLayout layout, SeededRandom random) {
    this.share = share;
    this.layout = layout;
    this.random = random;
    this.partitionsEach = Math.max(1, Math.ceilDiv(layout.partitions(), layout.chunks()));
    this.stretches = Math.ceilDiv(layout.partitions(), partitionsEach);
  }

  /**
   * Returns the stretch of a random free item of a chunk: the more is left in one, the likelier.
   */
  int stretchIn(int chunk) {
    return layout.partitionOf(share.peek(chunk)) / partitionsEach;
  }

  /**
   * Takes from these chunks, in their order within each stretch, nearest first.
   *
   * @param count at most what the chunks have
   * @return where in the target the next item would go
   */
  int takeNear(int stretch, List<Integer> chunks, int count, int[] target, int from) {
    int end = from + count;
    int at = from;
    for (int step = 0; at < end && step < 2 * stretches; step++) {
      int near = neighbour(stretch, step);
      if (near < 0 || near >= stretches) {
        continue;
      }
      for (int i = 0; i < chunks.size() && at < end; i++) {
        int chunk = chunks.get(i);
        if (share.available(chunk) > 0) {
          at = takeOfChunk(chunk, near, target, at, end);
        }
      }
    }
    return at;
  }

  /** Takes from all chunks, nearest stretch first. */
  int takeNear(int stretch, int count, int[] target, int from) {
    int end = from + count;
    int at = from;
    for (int step = 0; at < end && step < 2 * stretches; step++) {
      int near = neighbour(stretch, step);
      if (near >= 0 && near < stretches) {
        at = takeOfAll(near, target, at, end);
      }
    }
    return at;
  }

  /** Returns the stretch itself, then 1 to the right, 1 to the left, 2 to the right… */
  private static int neighbour(int stretch, int step) {
    int distance = (step + 1) / 2;
    return step % 2 == 1 ? stretch + distance : stretch - distance;
  }

  private int takeOfChunk(int chunk, int stretch, int[] target, int from, int end) {
    int at = from;
    while (at < end) {
      int item = freeOf(chunk, stretch);
      if (item < 0) {
        return at;
      }
      target[at++] = item;
      share.take(chunk, item);
    }
    return at;
  }

  private int takeOfAll(int stretch, int[] target, int from, int end) {
    int first = layout.partitionFirst(stretch * partitionsEach);
    int last = layout.partitionFirst((stretch + 1) * partitionsEach);
    int at = from;
    while (at < end) {
      int item = freeBetween(first, last);
      if (item < 0) {
        return at;
      }
      target[at++] = item;
      share.take(layout.chunkOf(item), item);
    }
    return at;
  }

  /** Returns a random free item of a chunk in a stretch, or −1: the first after a random unit. */
  private int freeOf(int chunk, int stretch) {
    int first = stretch * partitionsEach;
    int count = Math.min(partitionsEach, layout.partitions() - first);
    for (int i = 0; i < PROBES; i++) {
      int partition = first + random.below(count);
      int size = layout.unitSize(chunk, partition);
      int item = size == 0 ? -1 : layout.unitFirst(chunk, partition) + random.below(size);
      if (item >= 0 && share.free(item)) {
        return item;
      }
    }
    int start = random.below(count);
    for (int i = 0; i < count; i++) {
      int partition = first + (start + i) % count;
      int unit = layout.unitFirst(chunk, partition);
      int item = share.nextFree(unit, unit + layout.unitSize(chunk, partition));
      if (item >= 0) {
        return item;
      }
    }
    return -1;
  }

  /** Returns a random free item, or −1. */
  private int freeBetween(int first, int last) {
    if (first == last) {
      return -1;
    }
    int item = first + random.below(last - first);
    for (int i = 1; i < PROBES && !share.free(item); i++) {
      item = first + random.below(last - first);
    }
    int found = share.nextFree(item, last);
    return found >= 0 ? found : share.nextFree(first, item);
  }
}
