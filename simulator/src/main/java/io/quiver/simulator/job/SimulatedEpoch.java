package io.quiver.simulator.job;

import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.UnreadItems;
import org.jspecify.annotations.Nullable;

/** The order of one epoch of a job, item by item or only by how many of each chunk. */
interface SimulatedEpoch extends UnreadItems {
  /** The next batch; null while there is none to draw. */
  @Nullable Wish draw(Residency residency, RingRole ringRole);

  /** These items of a wish were read; the others go back. */
  void settle(Wish wish, int[] read);

  /** Whether all was read. */
  boolean finished();

  /** Into how many chunks items are divided. */
  int chunks();

  /** The chunk of an item. */
  int chunkOf(int item);

  /** The rest of the epoch with another number of chunks; nothing may be out. */
  SimulatedEpoch divided(int into);
}
