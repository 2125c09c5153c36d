package io.quiver.core.keep;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * Decides which blobs of a space stay within its quota.
 *
 * <p>Blobs are named by 64-bit fingerprints. A victim is told once and is forgotten before it is
 * told; the server that has the bytes evicts them. Used bytes never exceed the quota of a keeper
 * that evicts. Not thread-safe.
 */
public sealed interface Keeper permits Fixed, Recent, Fifo3, Uniform, Ranked {

  /** Longest blob that a keeper takes, in bytes. */
  long MAX_BLOB_BYTES = Integer.MAX_VALUE;

  /**
   * Offers a blob. One that is kept already counts as touched and takes the new priority.
   *
   * @param priority used by {@link Ranked} only; {@link Ranked#UNKNOWN} where there is none
   * @param victims told what must go so that the blob fits; nothing goes if it is refused
   * @return true if the blob is kept now
   */
  boolean offer(long key, long bytes, long priority, LongConsumer victims);

  /** Notes that a blob was read; returns false if it is not kept. */
  boolean touch(long key);

  /** Changes a blob's priority, if it is kept and the keeper ranks. */
  default void rank(long key, long priority) {}

  /** Forgets a blob that is gone for other reasons; returns false if it was not kept. */
  boolean forget(long key);

  /** Changes the quota, and evicts now what exceeds it. */
  void resize(long quotaBytes, LongConsumer victims);

  /** Returns true if a blob is kept. */
  boolean holds(long key);

  /** Returns the state and the counts so far. */
  Report report();

  /** Returns the length of all arrays of this keeper, ghosts and shadows included. */
  long memoryBytes();

  /**
   * Reports the state and counts of a keeper.
   *
   * @param quotaBytes most bytes it keeps
   * @param usedBytes bytes of the blobs it keeps
   * @param blobs number of blobs it keeps
   * @param admissions offers of new blobs that were taken
   * @param refusals offers that were not
   * @param evictions victims told
   * @param ghostHits misses that a larger quota would have made hits: entry k counts those that
   *     need between k and k + 1 eighths of the quota more; empty for keepers without ghosts
   * @param lowestPriority lowest priority kept, {@link Ranked#UNKNOWN} for keepers that do not rank
   */
  record Report(
      long quotaBytes,
      long usedBytes,
      int blobs,
      long admissions,
      long refusals,
      long evictions,
      List<Long> ghostHits,
      long lowestPriority) {
    /** Keeps its own copy. */
    public Report {
      ghostHits = List.copyOf(ghostHits);
    }
  }
}
