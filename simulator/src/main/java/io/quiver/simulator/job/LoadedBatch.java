package io.quiver.simulator.job;

import io.quiver.core.plan.probe.SupplyMode;

/** A batch that has been read, and how it was supplied. */
final class LoadedBatch {
  private final int[] items;
  private final SupplyMode supplyMode;
  private final boolean probed;

  LoadedBatch(int[] items, SupplyMode supplyMode, boolean probed) {
    this.items = items;
    this.supplyMode = supplyMode;
    this.probed = probed;
  }

  int[] items() {
    return items;
  }

  SupplyMode supplyMode() {
    return supplyMode;
  }

  /** Returns true if it was supplied so for a probe's sake. */
  boolean probed() {
    return probed;
  }
}
