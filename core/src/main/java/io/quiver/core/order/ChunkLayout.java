package io.quiver.core.order;

/**
 * Divides the items of a data set into chunks that are stripes (Quiver, §5.1): the items are dealt
 * to the chunks in turn, a few neighbours at a time. So every chunk is a sample of the whole data
 * set, even one sorted by class or length, and a batch can still be drawn from neighbours.
 *
 * <p>The paper cuts the data set into as many contiguous partitions as there are chunks, so that a
 * chunk reaches only C places of the data set; when that is sorted by class and has more classes
 * than chunks, a chunk lacks most of them. Here a partition is one round of dealing, which is as
 * short as can be: a stripe unit has four items, or more where a chunk would reach over 4096
 * places, or fewer in a data set so small that chunks would be of unequal size.
 *
 * <p>The cover is exact for every number of items and chunks, and the sizes of chunks differ by one
 * unit at most. Nothing is stored per item: every question is answered by arithmetic.
 *
 * @param items how many items
 * @param chunks how many chunks
 * @param unit how many neighbours a chunk is dealt at a time
 */
public record ChunkLayout(int items, int chunks, int unit) {
  /** Most chunks: beyond it a plan would be larger than it is useful. */
  public static final int MAX_CHUNKS = 10_000;

  private static final int SHORT_UNIT = 4;
  private static final int LEAST_UNITS = 128;
  private static final int MOST_UNITS = 4096;

  /** Checks the numbers. */
  public ChunkLayout {
    if (items < 0) {
      throw new IllegalArgumentException("a data set of " + items + " items");
    }
    if (chunks < 1 || chunks > MAX_CHUNKS) {
      throw new IllegalArgumentException(
          chunks + " chunks; a data set has 1 to " + MAX_CHUNKS + " of them");
    }
    if (unit < 1) {
      throw new IllegalArgumentException("stripe units of " + unit + " items");
    }
  }

  /** Makes the layout that everybody uses: items and chunks determine the unit. */
  public ChunkLayout(int items, int chunks) {
    this(items, chunks, unitFor(items / Math.max(chunks, 1)));
  }

  private static int unitFor(int chunkItems) {
    int fine = Math.clamp(chunkItems / LEAST_UNITS, 1, SHORT_UNIT);
    return Math.max(fine, Math.ceilDiv(chunkItems, MOST_UNITS));
  }

  /** Returns how many rounds of dealing there are. */
  public int partitions() {
    return (int) Math.ceilDiv(items, partitionLength());
  }

  /** Returns the contiguous partition an item lies in. */
  public int partitionOf(int item) {
    requireItem(item);
    return (int) (item / partitionLength());
  }

  /** Returns the chunk an item belongs to. */
  public int chunkOf(int item) {
    requireItem(item);
    return item / unit % chunks;
  }

  /** Returns how many items a chunk has. */
  public int size(int chunk) {
    requireChunk(chunk);
    long rounds = items / partitionLength();
    long rest = items % partitionLength() - (long) chunk * unit;
    return (int) (rounds * unit + Math.clamp(rest, 0, unit));
  }

  /** Returns the first item of a partition; for one past the last, how many items there are. */
  public int partitionFirst(int partition) {
    return (int) Math.min(items, partition * partitionLength());
  }

  /** Returns the first item of the stripe unit that a chunk has in a partition. */
  public int unitFirst(int chunk, int partition) {
    requireChunk(chunk);
    return (int) Math.min(items, partition * partitionLength() + (long) chunk * unit);
  }

  /**
   * Returns how many items, which are neighbours, the stripe unit of a chunk in a partition has.
   */
  public int unitSize(int chunk, int partition) {
    return Math.min(unit, items - unitFirst(chunk, partition));
  }

  /** Returns the item at a place among a chunk's members, which are ordered by item. */
  public int member(int chunk, int place) {
    int size = size(chunk);
    if (place < 0 || place >= size) {
      throw new IndexOutOfBoundsException(
          "place " + place + " of chunk " + chunk + ", which has " + size + " items");
    }
    return unitFirst(chunk, place / unit) + place % unit;
  }

  private long partitionLength() {
    return (long) unit * chunks;
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
