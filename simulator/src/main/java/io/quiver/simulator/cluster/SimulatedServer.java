package io.quiver.simulator.cluster;

import io.quiver.core.claim.ClaimTable;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.placement.OwnedSlots;
import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.simulator.cluster.DatasetCache.SpaceKey;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.model.Link;
import io.quiver.simulator.model.Machine;
import io.quiver.simulator.scenario.Scenario.ServerSpec;
import io.quiver.simulator.trace.Trace;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final Map<SpaceKey, Space> spaces = new LinkedHashMap<>();
  private final ClaimTable claims = new ClaimTable(CLAIM_LEASE, MAX_CLAIMS);
  private @Nullable Space kept;
  private @Nullable SlotTable slots;
  private OwnedSlots owned = OwnedSlots.ALL;
  private long usedBytes;
  private long planVersion;
  private boolean alive = true;

  /** An ordered space and its bytes. */
  private static final class Space {
    private final String name;
    private final KeeperKind kind;
    private final @Nullable Keeper keeper;
    private boolean rotating;
    private long quotaBytes;
    private long bytes;

    Space(SpaceOrder order) {
      name = order.name().name();
      kind = order.keeper();
      keeper = kind == KeeperKind.FIXED ? null : kind.keeper(order.quotaBytes());
      quotaBytes = order.quotaBytes();
    }
  }

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
    Map<String, Long> bytes = HashMap.newHashMap(spaces.size());
    for (Space space : spaces.values()) {
      bytes.put(space.name, space.bytes);
    }
    return new ServerReport(name, name, "http://" + name, capacityBytes, bytes, planVersion, false);
  }

  /** Has exactly the spaces of this plan, unless it is an old one. */
  @Override
  public void follow(Plan plan) {
    if (!alive || plan.version() <= planVersion) {
      return;
    }
    planVersion = plan.version();
    Catalog.Orders orders = catalog.orders(plan);
    Iterator<Map.Entry<SpaceKey, Space>> known = spaces.entrySet().iterator();
    while (known.hasNext()) {
      Map.Entry<SpaceKey, Space> each = known.next();
      SpaceOrder order = orders.spaces().get(each.getKey());
      if (order == null || order.keeper() != each.getValue().kind) {
        known.remove();
        drop(each.getKey(), each.getValue());
      }
    }
    giveUp(orders.slots());
    orders.spaces().forEach((key, order) -> order(key, order, orders));
  }

  /** Gives up the items of slots that belong to other servers since the members changed. */
  @SuppressWarnings("ReferenceEquality") // A table is made once for all plans of some members.
  private void giveUp(@Nullable SlotTable table) {
    if (table == slots || table == null) {
      return;
    }
    slots = table;
    OwnedSlots before = owned;
    OwnedSlots after = OwnedSlots.of(table, name);
    owned = after;
    spaces.forEach((key, space) -> {
      if (space.keeper == null && space.bytes > 0) {
        DatasetCache cache = catalog.cache(key.dataset());
        int items = cache.gaveUp(this, key, before, after);
        long bytes = items * cache.dataset().itemBytes();
        space.bytes -= bytes;
        usedBytes -= bytes;
        if (items > 0) {
          trace.gaveUp(engine.now(), index, key.dataset(), key.chunk(), bytes);
        }
      }
    });
  }

  private void order(SpaceKey key, SpaceOrder order, Catalog.Orders orders) {
    boolean rotates = orders.rotating().contains(key);
    Space space = spaces.get(key);
    boolean news = space == null || space.rotating != rotates;
    if (space == null) {
      space = new Space(ownShare(order, orders));
      spaces.put(key, space);
      kept = space.keeper == null ? kept : space;
    } else if (space.keeper != null) {
      space.quotaBytes = ownShare(order, orders).quotaBytes();
      space.keeper.resize(space.quotaBytes, this::evict);
    }
    space.rotating = rotates;
    if (news && key.chunk() != SpaceKey.NO_CHUNK) {
      trace.roleChanged(engine.now(), index, key.dataset(), key.chunk(), rotates);
    }
  }

  /** Returns this server's part of an order; a plan that does not name it yet asks for too much. */
  private SpaceOrder ownShare(SpaceOrder order, Catalog.Orders orders) {
    SpaceOrder share = order.share(orders.share(name));
    long quota = Math.min(share.quotaBytes(), capacityBytes);
    return new SpaceOrder(share.name(), share.keeper(), quota);
  }

  private void drop(SpaceKey key, Space space) {
    if (space.keeper != null) {
      space.keeper.resize(0, this::evict);
      kept = null;
      return;
    }
    if (space.bytes > 0) {
      usedBytes -= space.bytes;
      catalog.cache(key.dataset()).dropped(this, key);
    }
    trace.dropped(engine.now(), index, key.dataset(), key.chunk(), space.bytes);
  }

  /** Takes bytes into the space of a chunk; false when the space is not ordered or is full. */
  boolean reserve(SpaceKey key, long bytes) {
    Space space = spaces.get(key);
    if (space == null
        || usedBytes + bytes > capacityBytes
        || space.bytes + bytes > space.quotaBytes) {
      return false;
    }
    usedBytes += bytes;
    space.bytes += bytes;
    return true;
  }

  /** Offers an item to the keeper of the space that takes every miss; false if it is refused. */
  boolean offer(int dataset, int item, long bytes) {
    Space space = kept;
    if (space == null || space.keeper == null) {
      return false;
    }
    long key = key(dataset, item);
    boolean known = space.keeper.holds(key);
    boolean taken = space.keeper.offer(key, bytes, Ranked.UNKNOWN, this::evict);
    if (taken && !known) {
      usedBytes += bytes;
      space.bytes += bytes;
      trace.stored(engine.now(), index, dataset, SpaceKey.NO_CHUNK, false, 1, bytes);
    }
    return taken;
  }

  /** Tells the keeper, where there is one, that an item was read. */
  void read(int dataset, int item) {
    if (kept != null && kept.keeper != null) {
      kept.keeper.touch(key(dataset, item));
    }
  }

  private static long key(int dataset, int item) {
    return (long) dataset << Integer.SIZE | item;
  }

  private void evict(long key) {
    DatasetCache cache = catalog.cache((int) (key >>> Integer.SIZE));
    long bytes = cache.dataset().itemBytes();
    usedBytes -= bytes;
    if (kept != null) {
      kept.bytes -= bytes;
    }
    cache.evicted(this, (int) key);
    trace.dropped(engine.now(), index, cache.dataset().index(), SpaceKey.NO_CHUNK, bytes);
  }

  /** Tells the trace of items that were inserted into the space of a chunk. */
  void stored(SpaceKey key, int items, long bytes) {
    Space space = spaces.get(key);
    boolean rotates = space != null && space.rotating;
    trace.stored(engine.now(), index, key.dataset(), key.chunk(), rotates, items, bytes);
  }

  /** Dies, with everything on it. */
  void die() {
    for (Map.Entry<SpaceKey, Space> each : List.copyOf(spaces.entrySet())) {
      drop(each.getKey(), each.getValue());
    }
    spaces.clear();
    alive = false;
    trace.serverGone(engine.now(), index);
  }
}
