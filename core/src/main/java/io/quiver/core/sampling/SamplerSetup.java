package io.quiver.core.sampling;

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
 */
public record SamplerSetup(
    int items, int chunks, int batch, long seed, int rank, int ranks, boolean dropLast) {
  /** Checks the numbers. */
  public SamplerSetup {
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

  /** One process that delivers every item. */
  public static SamplerSetup single(int items, int chunks, int batch, long seed) {
    return new SamplerSetup(items, chunks, batch, seed, 0, 1, false);
  }

  /** How the items are divided into chunks. */
  public ChunkLayout layout() {
    return new ChunkLayout(items, chunks);
  }
}
