package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress;
import io.quiver.core.plan.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One space for the items of all data sets together, under the keeper that a live server would run:
 * the baseline that knows nothing of training. Nobody claims anything; several may fetch one item.
 */
public final class KeptStock implements Stock {
  private final SimulatedDataset dataset;
  private final List<SimulatedServer> servers;

  /**
   * Makes an empty stock.
   *
   * @param servers all servers by number; may grow
   */
  public KeptStock(SimulatedDataset dataset, List<SimulatedServer> servers) {
    this.dataset = dataset;
    this.servers = servers;
  }

  static long key(int dataset, int item) {
    return (long) dataset << Integer.SIZE | item;
  }

  @Override
  public int find(int item, Owners owners) {
    if (owners.isEmpty()) {
      return NOWHERE;
    }
    int owner = owners.server(dataset.slot(item));
    boolean here = servers.get(owner).shared().touch(key(dataset.index(), item));
    return here ? owner : NOWHERE;
  }

  @Override
  public @Nullable Claim claim(int item, String job, Owners owners) {
    return Claim.YOURS;
  }

  @Override
  public int put(int[] items, Space space, Owners owners, Plan plan) {
    for (int item : items) {
      if (!owners.isEmpty()) {
        int owner = owners.server(dataset.slot(item));
        servers.get(owner).keep(dataset.index(), item, dataset.itemBytes());
      }
    }
    return items.length;
  }

  @Override
  public void release(int[] items, Owners owners) {}

  @Override
  public ChunkProgress progress(Space space, String job) {
    throw new UnsupportedOperationException("a space for everything has no chunks");
  }

  @Override
  public void dropped(SimulatedServer server, Space space) {}
}
