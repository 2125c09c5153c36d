package io.quiver.core.order;

/**
 * What a sampler is made for.
 *
 * @param items how many items the data set has
 * @param chunks how many chunks it is divided into
 * @param batch how many items a batch has
 * @param seed decides every order; all ranks of a job share it
 * @param rank which of the job's processes this is, from 0
 * @param ranks how many processes share the epoch
 * @param dropLast whether a last batch that would be short is left out
 * @param equalSteps whether all ranks take the same number of steps
 * @param homogeneous whether a batch's items should come from one stretch of the data set, so that
 *     they are alike in what the data set is sorted by (its length, for one); not for strict order
 */
public record OrderSetup(
    int items,
    int chunks,
    int batch,
    long seed,
    int rank,
    int ranks,
    boolean dropLast,
    EqualSteps equalSteps,
    boolean homogeneous) {
  /** Checks the numbers. */
  public OrderSetup {
    if (items < 0 || batch < 1) {
      throw new IllegalArgumentException("batches of " + batch + " from " + items + " items");
    }
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException("rank " + rank + " of " + ranks);
    }
    if (chunks < 1 || chunks > ChunkLayout.MAX_CHUNKS) {
      throw new IllegalArgumentException(chunks + " chunks");
    }
  }

  /** Mixed batches, and ranks that may differ by an item. */
  public OrderSetup(
      int items, int chunks, int batch, long seed, int rank, int ranks, boolean dropLast) {
    this(items, chunks, batch, seed, rank, ranks, dropLast, EqualSteps.OFF, false);
  }

  /** One process that delivers every item. */
  public static OrderSetup single(int items, int chunks, int batch, long seed) {
    return new OrderSetup(items, chunks, batch, seed, 0, 1, false);
  }

  /** The same with ranks kept in step, or not. */
  public OrderSetup withEqualSteps(EqualSteps choice) {
    return new OrderSetup(items, chunks, batch, seed, rank, ranks, dropLast, choice, homogeneous);
  }

  /** The same with each batch from one stretch of the data set, or not. */
  public OrderSetup withHomogeneous(boolean choice) {
    return new OrderSetup(items, chunks, batch, seed, rank, ranks, dropLast, equalSteps, choice);
  }

  /** How the items are divided into chunks. */
  public ChunkLayout layout() {
    return new ChunkLayout(items, chunks);
  }
}
