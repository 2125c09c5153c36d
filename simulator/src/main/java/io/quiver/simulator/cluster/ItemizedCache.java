package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress;
import io.quiver.core.engine.MemberProgress;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.placement.OwnedSlots;
import io.quiver.core.plan.Plan;
import io.quiver.simulator.engine.Engine;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows the server of every cached item. Claims are the real ones, one table per server. */
public final class ItemizedCache implements DatasetCache {
  private final Engine engine;
  private final SimulatedDataset dataset;
  private final List<SimulatedServer> servers;
  private final short[] places;

  /**
   * Makes an empty cache.
   *
   * @param servers all servers by number; may grow
   */
  public ItemizedCache(Engine engine, SimulatedDataset dataset, List<SimulatedServer> servers) {
    this.engine = engine;
    this.dataset = dataset;
    this.servers = servers;
    this.places = new short[dataset.items()];
    Arrays.fill(places, (short) NOWHERE);
  }

  @Override
  public SimulatedDataset dataset() {
    return dataset;
  }

  @Override
  public int find(int item, SlotOwners owners) {
    short place = places[item];
    // An item on a server that owned its slot before is out of reach.
    if (place == NOWHERE || place != owner(item, owners)) {
      return NOWHERE;
    }
    servers.get(place).read(dataset.index(), item);
    return place;
  }

  private int owner(int item, SlotOwners owners) {
    return owners.isEmpty() ? NOWHERE : owners.server(dataset.slot(item));
  }

  @Override
  public @Nullable Claim claim(int item, String job, SlotOwners owners) {
    int owner = owner(item, owners);
    if (owner == NOWHERE || !servers.get(owner).isAlive()) {
      return null;
    }
    return servers.get(owner).claims().ask(dataset.hash(item), job, engine.now());
  }

  @Override
  public int put(int[] items, SpaceKey space, SlotOwners owners, Plan plan) {
    int[] counts = new int[servers.size()];
    int here = 0;
    for (int item : items) {
      int owner = owner(item, owners);
      if (owner == NOWHERE || !servers.get(owner).isAlive()) {
        continue;
      }
      SimulatedServer server = servers.get(owner);
      server.follow(plan);
      if (places[item] != NOWHERE && places[item] != owner) {
        servers.get(places[item]).follow(plan); // it owned the slot before and gives the item up
      }
      server.claims().resolve(dataset.hash(item));
      if (places[item] == owner) {
        here++;
      } else if (insert(server, item, space)) {
        places[item] = (short) owner;
        counts[owner]++;
        here++;
      }
    }
    if (space.chunk() != SpaceKey.NO_CHUNK) {
      tell(counts, space);
    }
    return here;
  }

  private boolean insert(SimulatedServer server, int item, SpaceKey space) {
    return space.chunk() == SpaceKey.NO_CHUNK
        ? server.offer(dataset.index(), item, dataset.itemBytes())
        : server.reserve(space, dataset.itemBytes());
  }

  private void tell(int[] counts, SpaceKey space) {
    for (int owner = 0; owner < counts.length; owner++) {
      if (counts[owner] > 0) {
        servers.get(owner).stored(space, counts[owner], counts[owner] * dataset.itemBytes());
      }
    }
  }

  @Override
  public void release(int[] items, SlotOwners owners) {
    for (int item : items) {
      int owner = owner(item, owners);
      if (owner != NOWHERE) {
        servers.get(owner).claims().resolve(dataset.hash(item));
      }
    }
  }

  @Override
  public void dropped(SimulatedServer server, SpaceKey space) {
    ChunkLayout layout = new ChunkLayout(dataset.items(), space.chunks());
    int size = layout.size(space.chunk());
    for (int place = 0; place < size; place++) {
      int item = layout.member(space.chunk(), place);
      evicted(server, item);
    }
  }

  @Override
  public int gaveUp(SimulatedServer server, SpaceKey space, OwnedSlots before, OwnedSlots owned) {
    ChunkLayout layout = new ChunkLayout(dataset.items(), space.chunks());
    int size = layout.size(space.chunk());
    int count = 0;
    for (int place = 0; place < size; place++) {
      int item = layout.member(space.chunk(), place);
      if (places[item] == server.index() && !owned.has(dataset.slot(item))) {
        places[item] = (short) NOWHERE;
        count++;
      }
    }
    return count;
  }

  @Override
  public void evicted(SimulatedServer server, int item) {
    if (places[item] == server.index()) {
      places[item] = (short) NOWHERE;
    }
  }

  @Override
  public ChunkProgress progress(SpaceKey space, String job) {
    return MemberProgress.of(dataset.items(), space.chunks(), space.chunk(), job);
  }

  @Override
  public boolean answers(int item, SlotOwners owners) {
    int owner = owner(item, owners);
    return owner != NOWHERE && servers.get(owner).isAlive();
  }
}
