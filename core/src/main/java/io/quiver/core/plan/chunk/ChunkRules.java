package io.quiver.core.plan.chunk;

import io.quiver.core.order.ChunkLayout;
import java.time.Duration;

/**
 * Says how data sets are divided into chunks and when rotating chunks move on.
 *
 * @param window how many chunks rotate: with three, one is read, one is whole before the first is
 *     used up and one is on its way; with two, every chunk's load waits until the last job has read
 *     the one before
 * @param leastPinned how many chunks are to fit beside those that rotate
 * @param maxChunks most chunks a data set is divided into without need
 * @param batchesPerWindow how many batches the rotating chunks have at least; fewer make batches
 *     less random, more cost reads
 * @param maxChunkBytes longest chunk
 * @param leastNeed a chunk is loaded when at least this share of it is needed
 * @param minPatience how long a chunk stays at least after the first job has finished it
 * @param patienceShare or this share of the time that job took
 */
public record ChunkRules(
    int window,
    int leastPinned,
    int maxChunks,
    int batchesPerWindow,
    long maxChunkBytes,
    double leastNeed,
    Duration minPatience,
    double patienceShare) {
  /** The rules that the simulated figures rest on. */
  public static final ChunkRules DEFAULT =
      new ChunkRules(3, 1, 150, 15, 15_000_000_000L, 0.05, Duration.ofSeconds(60), 0.5);

  /**
   * The paper's chunks: a tenth of the data set or 15 GB, whichever is less, of which two rotate
   * and none need be pinned.
   */
  public static final ChunkRules PAPER = DEFAULT.withWindow(2, 0).withMaxChunks(10);

  /** Refuses rules that no plan can be made with. */
  public ChunkRules {
    if (window < 2 || leastPinned < 0 || maxChunks < 1 || maxChunkBytes < 1) {
      throw new IllegalArgumentException(
          "%d rotating and %d pinned of at most %d chunks of at most %d bytes; two must rotate"
              .formatted(window, leastPinned, maxChunks, maxChunkBytes));
    }
  }

  /** Returns a copy in which other numbers of chunks rotate and are to fit beside them. */
  public ChunkRules withWindow(int rotating, int pinned) {
    return with(rotating, pinned, maxChunks, batchesPerWindow, maxChunkBytes);
  }

  /** Returns a copy with another bound for the number of chunks. */
  public ChunkRules withMaxChunks(int most) {
    return with(window, leastPinned, most, batchesPerWindow, maxChunkBytes);
  }

  /** Returns a copy with other bounds for the size of chunks. */
  public ChunkRules withSizes(int batches, long longest) {
    return with(window, leastPinned, maxChunks, batches, longest);
  }

  private ChunkRules with(int rotating, int pinned, int most, int batches, long longest) {
    return new ChunkRules(
        rotating, pinned, most, batches, longest, leastNeed, minPatience, patienceShare);
  }

  /**
   * Returns the number of chunks for a data set. Many small chunks leave more bytes for pinned
   * ones, because only a few rotate; too small ones hold too few batches to be random in.
   *
   * @param batch the largest batch of the jobs that read it
   * @param budget how many bytes of it are likely to be held
   */
  public int chunks(int items, long bytes, int batch, long budget) {
    double leastHeld = window + leastPinned;
    long byBatches = (long) window * items / ((long) batchesPerWindow * batch);
    long wanted = Math.clamp(byBatches, 1, maxChunks);
    long byLength = (bytes + maxChunkBytes - 1) / maxChunkBytes;
    long byBudget =
        budget <= 0 || budget >= bytes ? 1 : (long) Math.ceil(leastHeld * bytes / budget);
    long needed = Math.max(wanted, Math.max(byLength, byBudget));
    return Math.clamp(needed, 1, Math.min(items, ChunkLayout.MAX_CHUNKS));
  }
}
