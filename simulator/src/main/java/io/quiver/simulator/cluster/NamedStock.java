package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress;
import io.quiver.core.engine.MemberProgress;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.Plan;
import io.quiver.simulator.engine.Engine;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows for every item on which server it lies. Claims are the real ones, one table per server. */
public final class NamedStock implements Stock {
  private final Engine engine;
  private final SimulatedDataset dataset;
  private final List<SimulatedServer> servers;
  private final short[] places;

  /**
   * Nothing lies anywhere.
   *
   * @param servers all servers by number; may grow
   */
  public NamedStock(Engine engine, SimulatedDataset dataset, List<SimulatedServer> servers) {
    this.engine = engine;
    this.dataset = dataset;
    this.servers = servers;
    this.places = new short[dataset.items()];
    Arrays.fill(places, (short) NOWHERE);
  }

  @Override
  public int find(int item, Owners owners) {
    short place = places[item];
    // What lies where its owner used to be is out of reach.
    return place != NOWHERE && place == owner(item, owners) ? place : NOWHERE;
  }

  private int owner(int item, Owners owners) {
    return owners.isEmpty() ? NOWHERE : owners.server(dataset.slot(item));
  }

  @Override
  public @Nullable Claim claim(int item, String job, Owners owners) {
    int owner = owner(item, owners);
    if (owner == NOWHERE || !servers.get(owner).isAlive()) {
      return null;
    }
    return servers.get(owner).claims().ask(dataset.hash(item), job, engine.now());
  }

  @Override
  public int put(int[] items, Space space, Owners owners, Plan plan) {
    int[] counts = new int[servers.size()];
    int here = 0;
    for (int item : items) {
      int owner = owner(item, owners);
      if (owner == NOWHERE || !servers.get(owner).isAlive()) {
        continue;
      }
      SimulatedServer server = servers.get(owner);
      server.follow(plan);
      server.claims().resolve(dataset.hash(item));
      if (places[item] == owner) {
        here++;
      } else if (server.reserve(space, dataset.itemBytes())) {
        places[item] = (short) owner;
        counts[owner]++;
        here++;
      }
    }
    tell(counts, space);
    return here;
  }

  private void tell(int[] counts, Space space) {
    for (int owner = 0; owner < counts.length; owner++) {
      if (counts[owner] > 0) {
        servers.get(owner).stored(space, counts[owner], counts[owner] * dataset.itemBytes());
      }
    }
  }

  @Override
  public void release(int[] items, Owners owners) {
    for (int item : items) {
      int owner = owner(item, owners);
      if (owner != NOWHERE) {
        servers.get(owner).claims().resolve(dataset.hash(item));
      }
    }
  }

  @Override
  public void dropped(SimulatedServer server, Space space) {
    ChunkLayout layout = new ChunkLayout(dataset.items(), space.chunks());
    int size = layout.size(space.chunk());
    for (int place = 0; place < size; place++) {
      int item = layout.member(space.chunk(), place);
      if (places[item] == server.index()) {
        places[item] = (short) NOWHERE;
      }
    }
  }

  @Override
  public ChunkProgress progress(Space space, String job) {
    return MemberProgress.of(dataset.items(), space.chunks(), space.chunk(), job);
  }

  @Override
  public boolean answers(int item, Owners owners) {
    int owner = owner(item, owners);
    return owner != NOWHERE && servers.get(owner).isAlive();
  }
}
