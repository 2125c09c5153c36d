package io.quiver.core.sampling;

/**
 * Divides the items of a data set into chunks that are stripes (Quiver, §5.1): the data set is cut
 * into C contiguous partitions, each partition into C stripe units, and chunk k is unit k of every
 * partition. So every chunk is a sample of the whole data set, even one sorted by class or length,
 * and a batch can still be drawn from one unit of neighbours.
 *
 * <p>The cover is exact for every number of items and chunks; units may be empty when there are
 * fewer than C² items. Nothing is stored per item: partitions have only two lengths, so every
 * question is answered by arithmetic.
 *
 * @param items how many items
 * @param chunks how many chunks, also how many partitions
 */
public record ChunkLayout(int items, int chunks) {
  /** Most chunks: beyond it a plan would be larger than it is useful. */
  public static final int MAX_CHUNKS = 10_000;

  /** Checks both numbers. */
  public ChunkLayout {
    if (items < 0) {
      throw new IllegalArgumentException("a data set of " + items + " items");
    }
    if (chunks < 1 || chunks > MAX_CHUNKS) {
      throw new IllegalArgumentException(
          chunks + " chunks; a data set has 1 to " + MAX_CHUNKS + " of them");
    }
  }

  /** The contiguous partition an item lies in. */
  public int partitionOf(int item) {
    requireItem(item);
    return (int) ((long) item * chunks / items);
  }

  /** The chunk an item belongs to. */
  public int chunkOf(int item) {
    int partition = partitionOf(item);
    long start = partitionStart(partition);
    long length = partitionLength(partition);
    return (int) ((item - start) * chunks / length);
  }

  /** How many items a chunk has. */
  public int size(int chunk) {
    return membersBefore(chunk, chunks);
  }

  /** Where the members of a chunk in a partition begin, among the chunk's members in order. */
  public int unitStart(int chunk, int partition) {
    return membersBefore(chunk, partition);
  }

  /** The first item of a partition; for one past the last, how many items there are. */
  public int partitionFirst(int partition) {
    return (int) partitionStart(partition);
  }

  /** The first item of the stripe unit that a chunk has in a partition. */
  public int unitFirst(int chunk, int partition) {
    requireChunk(chunk);
    return (int) (partitionStart(partition) + unitBound(chunk, partitionLength(partition)));
  }

  /** How many items, which are neighbours, the stripe unit of a chunk in a partition has. */
  public int unitSize(int chunk, int partition) {
    requireChunk(chunk);
    return (int) unitLength(chunk, partitionLength(partition));
  }

  /** The item at a place among a chunk's members, which are ordered by item. */
  public int member(int chunk, int place) {
    int size = size(chunk);
    if (place < 0 || place >= size) {
      throw new IndexOutOfBoundsException(
          "place " + place + " of chunk " + chunk + ", which has " + size + " items");
    }
    int partition = partitionAt(chunk, place, size);
    long start = partitionStart(partition);
    long length = partitionLength(partition);
    return (int) (start + unitBound(chunk, length) + place - membersBefore(chunk, partition));
  }

  /** The last partition with at most {@code place} members of the chunk before it. */
  private int partitionAt(int chunk, int place, int size) {
    int partition = (int) ((long) place * chunks / size);
    while (partition + 1 < chunks && membersBefore(chunk, partition + 1) <= place) {
      partition++;
    }
    while (membersBefore(chunk, partition) > place) {
      partition--;
    }
    return partition;
  }

  /** Members of a chunk in all partitions before one: so many short units and so many long ones. */
  private int membersBefore(int chunk, int partition) {
    requireChunk(chunk);
    long shortLength = items / chunks;
    long longOnes = partitionStart(partition) - partition * shortLength;
    return (int)
        ((partition - longOnes) * unitLength(chunk, shortLength)
            + longOnes * unitLength(chunk, shortLength + 1));
  }

  private long partitionStart(int partition) {
    return ceilingDivide((long) partition * items, chunks);
  }

  private long partitionLength(int partition) {
    return partitionStart(partition + 1) - partitionStart(partition);
  }

  private long unitLength(int chunk, long partitionLength) {
    return unitBound(chunk + 1, partitionLength) - unitBound(chunk, partitionLength);
  }

  private long unitBound(int chunk, long partitionLength) {
    return ceilingDivide(chunk * partitionLength, chunks);
  }

  private static long ceilingDivide(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private void requireItem(int item) {
    if (item < 0 || item >= items) {
      throw new IndexOutOfBoundsException("item " + item + " of " + items);
    }
  }

  private void requireChunk(int chunk) {
    if (chunk < 0 || chunk >= chunks) {
      throw new IndexOutOfBoundsException("chunk " + chunk + " of " + chunks);
    }
  }
}
