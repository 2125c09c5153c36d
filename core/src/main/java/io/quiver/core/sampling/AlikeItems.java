package io.quiver.core.sampling;

import java.util.List;

/**
 * Takes items that lie side by side in the data set, so that those of a batch are alike in what the
 * data set is sorted by, such as the length of a sequence (Quiver, §5.1): from one stripe unit as
 * far as it lasts, then from the partitions next to it.
 *
 * <p>Needs a share in which everything that is not free is marked.
 */
final class AlikeItems {
  /** Shots in the dark before the bits are searched. */
  private static final int PROBES = 4;

  private final RankShare share;
  private final ChunkLayout layout;
  private final SeededRandom random;

  AlikeItems(RankShare share, ChunkLayout layout, SeededRandom random) {
    this.share = share;
    this.layout = layout;
    this.random = random;
  }

  /** The partition of a random free item of a chunk: the more is left in one, the likelier. */
  int partitionIn(int chunk) {
    return layout.partitionOf(share.peek(chunk));
  }

  /**
   * Takes from units of these chunks, in their order within each partition, nearest first.
   *
   * @param count at most what the chunks have
   * @return where in the target the next item would go
   */
  int takeNear(int partition, List<Integer> chunks, int count, int[] target, int from) {
    int end = from + count;
    int at = from;
    for (int turn = 0; at < end && turn < 2 * layout.chunks(); turn++) {
      int near = neighbour(partition, turn);
      if (near < 0 || near >= layout.chunks()) {
        continue;
      }
      for (int i = 0; i < chunks.size() && at < end; i++) {
        int chunk = chunks.get(i);
        if (share.available(chunk) > 0) {
          at = takeOfUnit(chunk, near, target, at, end);
        }
      }
    }
    return at;
  }

  /** The same from all chunks. */
  int takeNear(int partition, int count, int[] target, int from) {
    int end = from + count;
    int at = from;
    for (int turn = 0; at < end && turn < 2 * layout.chunks(); turn++) {
      int near = neighbour(partition, turn);
      if (near >= 0 && near < layout.chunks()) {
        at = takeOfPartition(near, target, at, end);
      }
    }
    return at;
  }

  /** 0, 1 to the right, 1 to the left, 2 to the right… */
  private static int neighbour(int partition, int turn) {
    int distance = (turn + 1) / 2;
    return turn % 2 == 1 ? partition + distance : partition - distance;
  }

  private int takeOfUnit(int chunk, int partition, int[] target, int from, int end) {
    int first = layout.unitFirst(chunk, partition);
    int last = first + layout.unitSize(chunk, partition);
    int at = from;
    while (at < end) {
      int item = freeBetween(first, last);
      if (item < 0) {
        return at;
      }
      target[at++] = item;
      share.take(chunk, item);
    }
    return at;
  }

  private int takeOfPartition(int partition, int[] target, int from, int end) {
    int first = layout.partitionFirst(partition);
    int last = layout.partitionFirst(partition + 1);
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

  /** A random free item, or −1. */
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
