package io.quiver.core.plan.probe;

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
    if (id < 1 || batches < 1 || supplyMode != SupplyMode.MISS) {
      throw new IllegalArgumentException(
          "probe " + id + " of " + batches + " batches, supplyMode " + supplyMode);
    }
  }
}
