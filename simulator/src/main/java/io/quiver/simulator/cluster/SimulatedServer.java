package io.quiver.simulator.cluster;

import io.quiver.core.claim.ClaimTable;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.model.Link;
import io.quiver.simulator.model.Machine;
import io.quiver.simulator.trace.Trace;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache server: its disk, its spaces with their bytes, and its claims. It follows the latest plan
 * it has heard of, and refuses what no space or no room is for.
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
  private final Map<Space, Long> spaces = new LinkedHashMap<>();
  private final Map<Space, Boolean> rotating = new HashMap<>();
  private Keeper shared;
  private final ClaimTable claims = new ClaimTable(CLAIM_LEASE, MAX_CLAIMS);
  private long usedBytes;
  private long planVersion;
  private boolean alive = true;

  /** An empty server. */
  public SimulatedServer(
      Engine engine,
      Trace trace,
      Catalog catalog,
      int index,
      String name,
      Machine machine,
      double diskBytesPerSecond,
      long capacityBytes) {
    this.engine = engine;
    this.trace = trace;
    this.catalog = catalog;
    this.index = index;
    this.name = name;
    this.machine = machine;
    this.disk = new Link(engine, name + "/disk", diskBytesPerSecond, 0);
    this.capacityBytes = capacityBytes;
    this.shared = KeeperKind.RECENT.keeper(capacityBytes);
  }

  /** Its place among all servers that ever were. */
  public int index() {
    return index;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Whether it answers. */
  public boolean isAlive() {
    return alive;
  }

  /** Most bytes it holds. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Returns the keeper of the space that takes every miss, where the cache is a plain one. */
  Keeper shared() {
    return shared;
  }

  ClaimTable claims() {
    return claims;
  }

  /** The links its answers pass on their way to a machine. */
  public List<Link> pathTo(Machine reader) {
    return reader == machine ? List.of(disk) : List.of(disk, machine.out(), reader.in());
  }

  /** What it says of itself. */
  public ServerReport report() {
    Map<String, Long> held = new TreeMap<>();
    rotating
        .keySet()
        .forEach(space -> held.put(catalog.name(space), spaces.getOrDefault(space, 0L)));
    return new ServerReport(name, name, "http://" + name, capacityBytes, held, planVersion, false);
  }

  /** Has exactly the spaces of this plan, unless it is an old one. */
  @Override
  public void follow(Plan plan) {
    if (!alive || plan.version() <= planVersion) {
      return;
    }
    planVersion = plan.version();
    Map<Space, Boolean> planned = planned(plan);
    for (Space space : List.copyOf(rotating.keySet())) {
      if (!planned.containsKey(space)) {
        drop(space);
      }
    }
    planned.forEach(this::turn);
  }

  private Map<Space, Boolean> planned(Plan plan) {
    Map<Space, Boolean> planned = new LinkedHashMap<>();
    for (DatasetPlan each : plan.datasets()) {
      int dataset = catalog.index(each.dataset());
      for (ChunkEntry held : each.held()) {
        planned.put(
            new Space(dataset, each.chunks(), held.chunk()), held.role() == ChunkRole.ROTATING);
      }
    }
    return planned;
  }

  private void turn(Space space, boolean rotates) {
    @Nullable Boolean before = rotating.put(space, rotates);
    if (before == null || before != rotates) {
      trace.turned(engine.now(), index, space.dataset(), space.chunk(), rotates);
    }
  }

  private void drop(Space space) {
    rotating.remove(space);
    @Nullable Long bytes = spaces.remove(space);
    if (bytes != null) {
      usedBytes -= bytes;
      catalog.stock(space.dataset()).dropped(this, space);
    }
    trace.dropped(engine.now(), index, space.dataset(), space.chunk(), bytes == null ? 0 : bytes);
  }

  /** Makes room for bytes in a space; false when there is no such space or no room. */
  boolean reserve(Space space, long bytes) {
    if (!alive || !rotating.containsKey(space) || usedBytes + bytes > capacityBytes) {
      return false;
    }
    usedBytes += bytes;
    spaces.merge(space, bytes, Long::sum);
    return true;
  }

  /** Offers an item to the space that takes every miss. */
  void keep(int dataset, int item, long bytes) {
    long key = KeptStock.key(dataset, item);
    if (!alive || shared.touch(key)) {
      return;
    }
    if (shared.offer(key, bytes, Ranked.UNKNOWN, this::gone)) {
      trace.stored(engine.now(), index, dataset, Space.NO_CHUNK, false, 1, bytes);
    }
  }

  private void gone(long key) {
    int dataset = (int) (key >>> Integer.SIZE);
    long bytes = catalog.dataset(dataset).itemBytes();
    trace.dropped(engine.now(), index, dataset, Space.NO_CHUNK, bytes);
  }

  /** Tells of items that were stored. */
  void stored(Space space, int items, long bytes) {
    boolean rotates = Boolean.TRUE.equals(rotating.get(space));
    trace.stored(engine.now(), index, space.dataset(), space.chunk(), rotates, items, bytes);
  }

  /** Is gone, with everything on it. */
  public void die() {
    alive = false;
    Map<Space, Long> lost = new TreeMap<>(java.util.Comparator.comparing(Space::toString));
    lost.putAll(spaces);
    lost.keySet().forEach(space -> catalog.stock(space.dataset()).dropped(this, space));
    spaces.clear();
    rotating.clear();
    shared = KeeperKind.RECENT.keeper(capacityBytes);
    usedBytes = 0;
    trace.serverGone(engine.now(), index);
  }
}
