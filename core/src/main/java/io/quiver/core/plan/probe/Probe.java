package io.quiver.core.plan.probe;

import io.quiver.core.bound.Bounds;

/**
 * A supply mode that a job tries for a few batches, so that the benefit of the cache becomes known
 * (Quiver, §5.3).
 *
 * @param id tells one probe from the next; they grow
 * @param supplyMode how its batches are to be supplied; all that can be asked for is {@link
 *     SupplyMode#MISS}: look nothing up, read from the store, insert what is on its way in
 * @param batches how many batches of each rank
 */
public record Probe(long id, SupplyMode supplyMode, int batches) {
  /** Refuses what cannot be tried. */
  public Probe {
    Bounds.whole("id", id, 1, Bounds.MAX_COUNT);
    Bounds.whole("batches", batches, 1, Bounds.MAX_BATCHES);
    if (supplyMode != SupplyMode.MISS) {
      throw new IllegalArgumentException("supply_mode is " + supplyMode + "; only MISS is tried");
    }
  }
}
