package io.quiver.core.engine;

import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.UnreadItems;
import org.jspecify.annotations.Nullable;

/**
 * Puts one epoch of a job, or of a rank, in order: item by item, or only by how many of each chunk.
 *
 * @param <D> what one batch is read by
 */
public interface ReadOrder<D> extends UnreadItems {
  /** Draws the next batch; returns null while there is none to draw. */
  @Nullable D draw(Residency residency, RingRole ringRole);

  /** Ends a draw: these of its items were read, the others go back. */
  void settle(D draw, int[] read);

  /** Returns at most so many items that come next; none where the order is not known. */
  default int[] upcoming(int count) {
    return new int[0];
  }

  /** Returns true if everything was read. */
  boolean finished();

  /** Returns the number of chunks. */
  int chunks();

  /** Returns the chunk of an item. */
  int chunkOf(int item);

  /** Adds the sign for each item of a draw to the count of its chunk. */
  void count(D draw, int[] chunkCounts, int sign);

  /** Returns the rest of the epoch with another number of chunks; nothing may be out. */
  ReadOrder<D> divided(int into);
}
