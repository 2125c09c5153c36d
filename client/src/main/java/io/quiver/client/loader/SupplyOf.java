package io.quiver.client.loader;

import io.quiver.core.benefit.Treatment;
import io.quiver.core.plan.DatasetPlan;
import org.jspecify.annotations.Nullable;

/** What the time of a batch tells about, by where its items came from. */
final class SupplyOf {
  private SupplyOf() {}

  /**
   * How a batch was supplied.
   *
   * @param held what the plan held when it was read; null for nothing
   * @param probed whether nothing was looked up for it
   */
  static Treatment batch(ItemSource[] sources, @Nullable DatasetPlan held, boolean probed) {
    int stored = 0;
    int cached = 0;
    for (ItemSource source : sources) {
      stored += source == ItemSource.STORE ? 1 : 0;
      cached += source == ItemSource.CACHE ? 1 : 0;
    }
    if (held != null && held.ring() && !probed) {
      return Treatment.SHARED;
    }
    return stored == sources.length
        ? Treatment.MISS
        : cached == sources.length ? Treatment.HIT : Treatment.MIXED;
  }
}
