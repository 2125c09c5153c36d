package io.quiver.simulator.job;

import io.quiver.core.benefit.Treatment;

/** A batch that has been read, and how it was supplied. */
final class LoadedBatch {
  private final int[] items;
  private final Treatment treatment;
  private final boolean probed;

  LoadedBatch(int[] items, Treatment treatment, boolean probed) {
    this.items = items;
    this.treatment = treatment;
    this.probed = probed;
  }

  int[] items() {
    return items;
  }

  Treatment treatment() {
    return treatment;
  }

  /** Whether it was supplied so for a probe's sake. */
  boolean probed() {
    return probed;
  }
}
