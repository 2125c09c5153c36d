package io.quiver.simulator.cluster;

import io.quiver.core.claim.ClaimTable;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.Ranked;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.placement.OwnedSlots;
import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.simulator.cluster.DatasetCache.SpaceKey;
import io.quiver.simulator.cluster.SpaceLayout.PlannedSpace;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.model.Link;
import io.quiver.simulator.model.Machine;
import io.quiver.simulator.scenario.Scenario.ServerSpec;
import io.quiver.simulator.trace.Trace;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cache server: its disk, its spaces and its claims. It carries out the orders of the latest plan
 * it has heard of: a space exists while it is ordered, a fixed one refuses what does not fit, and
 * any other evicts by the keeper of its order.
 */
public final class SimulatedServer implements ManagerNode.Follower {
  private static final Duration CLAIM_LEASE = Duration.ofSeconds(5);
  private static final int MAX_CLAIMS = 1 << 20;

  private final Engine engine;
  private final Trace trace;
  private final Catalog catalog;
  private final int index;
  private final String name;
  private final Machine machine;
  private final Link disk;
  private final long capacityBytes;
  private final ClaimTable claims = new ClaimTable(CLAIM_LEASE, MAX_CLAIMS);
  private SpaceLayout layout;
  private long[] bytes = new long[0];
  private @Nullable Keeper keeper;
  private @Nullable SlotTable slots;
  private OwnedSlots owned = OwnedSlots.ALL;
  private long usedBytes;
  private long planVersion;
  private boolean alive = true;

  /** Makes an empty server. */
  public SimulatedServer(
      Engine engine, Trace trace, Catalog catalog, int index, Machine machine, ServerSpec spec) {
    this.engine = engine;
    this.trace = trace;
    this.catalog = catalog;
    this.index = index;
    this.name = spec.name();
    this.machine = machine;
    this.disk = new Link(engine, name + "/disk", spec.diskBytesPerSecond(), 0);
    this.capacityBytes = spec.cacheBytes();
    this.layout = catalog.noSpaces();
  }

  /** Returns its place among all servers that ever were. */
  public int index() {
    return index;
  }

  /** Returns its name. */
  public String name() {
    return name;
  }

  /** Returns true if it answers. */
  public boolean isAlive() {
    return alive;
  }

  ClaimTable claims() {
    return claims;
  }

  /** Returns the links its answers pass on their way to a machine. */
  public List<Link> pathTo(Machine reader) {
    return reader == machine ? List.of(disk) : List.of(disk, machine.out(), reader.in());
  }

  /** Returns its report to the manager. */
  ServerReport report() {
    return new ServerReport(
        name, name, "http://" + name, capacityBytes, layout.sizes(bytes), planVersion, false);
  }

  /** Has exactly the spaces of this plan, unless it is an old one. */
  @Override
  public void follow(Plan plan) {
    if (!alive || plan.version() <= planVersion) {
      return;
    }
    planVersion = plan.version();
    Catalog.Orders orders = catalog.orders(plan);
    SpaceLayout.LayoutChange change = orders.change(layout);
    change.dropped().forEach(this::drop);
    if (change.after() != layout) {
      bytes = change.moved(bytes);
      layout = change.after();
    }
    giveUp(orders.slots());
    for (int place : change.touched()) {
      order(layout.space(place), orders);
    }
  }

  /** Gives up the items of slots that belong to other servers since the members changed. */
  @SuppressWarnings("ReferenceEquality") // A table is made once for all plans of some members.
  private void giveUp(@Nullable SlotTable table) {
    if (table == slots || table == null) {
      return;
    }
    slots = table;
    OwnedSlots before = owned;
    owned = OwnedSlots.of(table, name);
    for (int place = 0; place < bytes.length; place++) {
      PlannedSpace space = layout.space(place);
      if (!space.isKept() && bytes[place] > 0) {
        SpaceKey key = space.key();
        DatasetCache cache = catalog.cache(key.dataset());
        int items = cache.gaveUp(this, key, before, owned);
        long length = items * cache.dataset().itemBytes();
        bytes[place] -= length;
        usedBytes -= length;
        if (items > 0) {
          trace.gaveUp(engine.now(), index, key.dataset(), key.chunk(), length);
        }
      }
    }
  }

  private void order(PlannedSpace space, Catalog.Orders orders) {
    SpaceKey key = space.key();
    if (space.isKept()) {
      long quota = ownQuota(Objects.requireNonNull(orders.spaces().get(key)), orders);
      if (keeper == null) {
        keeper = space.keeper().keeper(quota);
      } else {
        keeper.resize(quota, this::evict);
      }
    }
    if (key.chunk() != SpaceKey.NO_CHUNK) {
      trace.roleChanged(engine.now(), index, key.dataset(), key.chunk(), space.rotating());
    }
  }

  /** Returns this server's part of a quota; a plan that does not name it yet asks for too much. */
  private long ownQuota(SpaceOrder order, Catalog.Orders orders) {
    return Math.min(order.share(orders.share(name)).quotaBytes(), capacityBytes);
  }

  private void drop(int place) {
    PlannedSpace space = layout.space(place);
    SpaceKey key = space.key();
    if (keeper != null && space.isKept()) {
      keeper.resize(0, this::evict);
      keeper = null;
      return;
    }
    if (bytes[place] > 0) {
      usedBytes -= bytes[place];
      catalog.cache(key.dataset()).dropped(this, key);
    }
    trace.dropped(engine.now(), index, key.dataset(), key.chunk(), bytes[place]);
  }

  /** Takes bytes into the space of a chunk; false when the space is not ordered or is full. */
  boolean reserve(SpaceKey key, long more) {
    int place = layout.place(key);
    if (place == SpaceLayout.NOWHERE || usedBytes + more > capacityBytes) {
      return false;
    }
    usedBytes += more;
    bytes[place] += more;
    return true;
  }

  /** Offers an item to the keeper of the space that takes every miss; false if it is refused. */
  boolean offer(int dataset, int item, long length) {
    if (keeper == null) {
      return false;
    }
    long key = key(dataset, item);
    boolean known = keeper.holds(key);
    boolean taken = keeper.offer(key, length, Ranked.UNKNOWN, this::evict);
    if (taken && !known) {
      usedBytes += length;
      bytes[layout.kept()] += length;
      trace.stored(engine.now(), index, dataset, SpaceKey.NO_CHUNK, false, 1, length);
    }
    return taken;
  }

  /** Tells the keeper, where there is one, that an item was read. */
  void read(int dataset, int item) {
    if (keeper != null) {
      keeper.touch(key(dataset, item));
    }
  }

  private static long key(int dataset, int item) {
    return (long) dataset << Integer.SIZE | item;
  }

  private void evict(long key) {
    DatasetCache cache = catalog.cache((int) (key >>> Integer.SIZE));
    long length = cache.dataset().itemBytes();
    usedBytes -= length;
    bytes[layout.kept()] -= length;
    cache.evicted(this, (int) key);
    trace.dropped(engine.now(), index, cache.dataset().index(), SpaceKey.NO_CHUNK, length);
  }

  /** Tells the trace of items that were inserted into the space of a chunk. */
  void stored(SpaceKey key, int items, long length) {
    int place = layout.place(key);
    boolean rotates = place != SpaceLayout.NOWHERE && layout.space(place).rotating();
    trace.stored(engine.now(), index, key.dataset(), key.chunk(), rotates, items, length);
  }

  /** Dies, with everything on it. */
  void die() {
    for (int place = 0; place < layout.size(); place++) {
      drop(place);
    }
    layout = catalog.noSpaces();
    bytes = new long[0];
    alive = false;
    trace.serverGone(engine.now(), index);
  }
}
