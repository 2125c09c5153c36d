package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress;
import io.quiver.core.plan.Plan;
import org.jspecify.annotations.Nullable;

/** Everything has always been in the cache: the best any cache can do. */
public final class FullStock implements Stock {
  private final SimulatedDataset dataset;

  /** All of this data set. */
  public FullStock(SimulatedDataset dataset) {
    this.dataset = dataset;
  }

  @Override
  public int find(int item, Owners owners) {
    return owners.isEmpty() ? NOWHERE : owners.server(dataset.slot(item));
  }

  @Override
  public @Nullable Claim claim(int item, String job, Owners owners) {
    return Claim.YOURS;
  }

  @Override
  public int put(int[] items, Space space, Owners owners, Plan plan) {
    return items.length;
  }

  @Override
  public void release(int[] items, Owners owners) {}

  @Override
  public ChunkProgress progress(Space space, String job) {
    throw new UnsupportedOperationException("nothing is ever missing");
  }

  @Override
  public void dropped(SimulatedServer server, Space space) {}
}
