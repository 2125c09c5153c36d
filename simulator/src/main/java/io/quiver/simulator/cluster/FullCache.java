package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress;
import io.quiver.core.placement.OwnedSlots;
import io.quiver.core.plan.Plan;
import org.jspecify.annotations.Nullable;

/** Has had everything from the beginning: the best any cache can do. */
public final class FullCache implements DatasetCache {
  private final SimulatedDataset dataset;
  private int counted;

  /** Has all of this data set. */
  public FullCache(SimulatedDataset dataset) {
    this.dataset = dataset;
  }

  @Override
  public SimulatedDataset dataset() {
    return dataset;
  }

  @Override
  public int find(int item, SlotOwners owners) {
    if (owners.isEmpty()) {
      return NOWHERE;
    }
    // Items that are only counted are found on all servers in turn.
    return owners.server(dataset.slot(dataset.named() ? item : counted++));
  }

  @Override
  public @Nullable Claim claim(int item, String job, SlotOwners owners) {
    return Claim.YOURS;
  }

  @Override
  public int put(int[] items, SpaceKey space, SlotOwners owners, Plan plan) {
    return items.length;
  }

  @Override
  public void release(int[] items, SlotOwners owners) {}

  @Override
  public ChunkProgress progress(SpaceKey space, String job) {
    throw new UnsupportedOperationException("nothing is ever missing");
  }

  @Override
  public void dropped(SimulatedServer server, SpaceKey space) {}

  @Override
  public int gaveUp(SimulatedServer server, SpaceKey space, OwnedSlots before, OwnedSlots owned) {
    return 0;
  }
}
