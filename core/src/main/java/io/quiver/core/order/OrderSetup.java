package io.quiver.core.order;

/**
 * The data set, batches and ranks that an order is made for.
 *
 * @param items how many items the data set has
 * @param chunks how many chunks it is divided into
 * @param batch how many items a batch has
 * @param seed decides every order; all ranks of a job share it
 * @param part the rank that draws, of how many
 * @param dropLast true to leave out a last batch that would be short
 * @param homogeneous true if a batch's items should come from one stretch of the data set, so that
 *     they are alike in what the data set is sorted by (its length, for one); not for strict order
 */
public record OrderSetup(
    int items, int chunks, int batch, long seed, Part part, boolean dropLast, boolean homogeneous) {
  /**
   * One of the processes that share an epoch.
   *
   * @param rank its number, from 0
   * @param ranks how many there are
   * @param equalSteps tells how all ranks take the same number of steps, if they do
   */
  public record Part(int rank, int ranks, EqualSteps equalSteps) {
    /** Checks the numbers. */
    public Part {
      if (ranks < 1 || rank < 0 || rank >= ranks) {
        throw new IllegalArgumentException("rank " + rank + " of " + ranks);
      }
    }
  }

  /** Checks the numbers. */
  public OrderSetup {
    if (items < 0 || batch < 1) {
      throw new IllegalArgumentException("batches of " + batch + " from " + items + " items");
    }
    if (chunks < 1 || chunks > ChunkLayout.MAX_CHUNKS) {
      throw new IllegalArgumentException(chunks + " chunks");
    }
  }

  /** Creates a setup with mixed batches and ranks that may differ by an item. */
  public OrderSetup(
      int items, int chunks, int batch, long seed, int rank, int ranks, boolean dropLast) {
    this(items, chunks, batch, seed, new Part(rank, ranks, EqualSteps.OFF), dropLast, false);
  }

  /** Creates a setup of one process that delivers every item. */
  public static OrderSetup single(int items, int chunks, int batch, long seed) {
    return new OrderSetup(items, chunks, batch, seed, 0, 1, false);
  }

  /** Returns a copy whose ranks are kept in step this way. */
  public OrderSetup withEqualSteps(EqualSteps choice) {
    return withPart(new Part(part.rank, part.ranks, choice));
  }

  /** Returns a copy for another rank, or another number of ranks. */
  public OrderSetup withRank(int rank, int ranks) {
    return withPart(new Part(rank, ranks, part.equalSteps));
  }

  private OrderSetup withPart(Part other) {
    return new OrderSetup(items, chunks, batch, seed, other, dropLast, homogeneous);
  }

  /** Returns a copy with homogeneous batches, or with mixed ones. */
  public OrderSetup withHomogeneous(boolean choice) {
    return new OrderSetup(items, chunks, batch, seed, part, dropLast, choice);
  }

  /** Returns the number of the process that draws, from 0. */
  public int rank() {
    return part.rank;
  }

  /** Returns how many processes share the epoch. */
  public int ranks() {
    return part.ranks;
  }

  /** Returns how all ranks take the same number of steps, if they do. */
  public EqualSteps equalSteps() {
    return part.equalSteps;
  }

  /** Returns the division of the items into chunks. */
  public ChunkLayout layout() {
    return new ChunkLayout(items, chunks);
  }
}
