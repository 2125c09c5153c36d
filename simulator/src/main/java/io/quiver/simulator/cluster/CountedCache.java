package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.placement.OwnedSlots;
import io.quiver.core.plan.Plan;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Knows only how many items of each chunk each server has and how many are being fetched. An item
 * is the number of its chunk; an item that is asked for is found by chance, in proportion to the
 * cached items of its chunk. Servers get equal shares, or shares by their weights.
 */
public final class CountedCache implements DatasetCache {
  /** Items in a row that are read from one server: a batch is not cut into a thousand reads. */
  private static final int STRETCH = 64;

  /** Fewest items that go to one server together. */
  private static final int LEAST_PART = 8;

  /** Steps through the slots by the golden section, so that every stretch of steps is even. */
  private static final int GOLDEN_STEP = 40503;

  private static final int SLOTS = 1 << 16;

  private final SimulatedDataset dataset;
  private final List<SimulatedServer> servers;
  private final SeededNumbers random;
  private @Nullable Chunk[] chunks = new @Nullable Chunk[0];
  private ChunkLayout layout;
  private @Nullable SlotOwners lastOwners;
  private int lastOwner;
  private int untilNext;
  private int putSlot;
  private int readSlot;

  /** Counts the items of a chunk. */
  private static final class Chunk {
    private final int size;
    private int[] onServer = new int[0];
    private int here;
    private int claimed;

    Chunk(int size) {
      this.size = size;
    }

    /** Returns how many of its items are not cached. */
    int absent() {
      return size - here;
    }

    void add(int server, int count) {
      if (server >= onServer.length) {
        onServer = Arrays.copyOf(onServer, server + 1);
      }
      onServer[server] += count;
      here += count;
    }

    void lose(int server) {
      if (server < onServer.length) {
        here -= onServer[server];
        onServer[server] = 0;
      }
    }

    int lose(int server, double share) {
      int lost = server < onServer.length ? (int) Math.round(share * onServer[server]) : 0;
      if (lost > 0) {
        onServer[server] -= lost;
        here -= lost;
      }
      return lost;
    }

    void release(int count) {
      claimed = Math.max(0, claimed - count);
    }
  }

  /**
   * Makes an empty cache.
   *
   * @param servers all servers by number; may grow
   */
  public CountedCache(
      SimulatedDataset dataset, List<SimulatedServer> servers, SeededNumbers random) {
    this.dataset = dataset;
    this.servers = servers;
    this.random = random;
    this.layout = new ChunkLayout(dataset.items(), 1);
  }

  @Override
  public SimulatedDataset dataset() {
    return dataset;
  }

  private Chunk chunk(int number) {
    if (number >= chunks.length) {
      chunks = Arrays.copyOf(chunks, number + 1);
    }
    Chunk chunk = chunks[number];
    if (chunk == null) {
      chunk = new Chunk(layout.size(Math.min(number, layout.chunks() - 1)));
      chunks[number] = chunk;
    }
    return chunk;
  }

  @Override
  public int find(int item, SlotOwners owners) {
    Chunk chunk = item < chunks.length ? chunks[item] : null;
    if (chunk == null || chunk.here == 0 || owners.isEmpty()) {
      return NOWHERE;
    }
    boolean lucky = chunk.absent() <= 0 || random.below(chunk.size) < chunk.here;
    return lucky ? nextOwner(owners) : NOWHERE;
  }

  private int nextOwner(SlotOwners owners) {
    if (owners != lastOwners || untilNext == 0) {
      lastOwners = owners;
      untilNext = STRETCH;
      readSlot = (readSlot + GOLDEN_STEP) % SLOTS;
      lastOwner = owners.server(readSlot);
    }
    untilNext--;
    return lastOwner;
  }

  @Override
  public @Nullable Claim claim(int item, String job, SlotOwners owners) {
    Chunk chunk = chunk(item);
    int absent = chunk.absent();
    if (chunk.claimed >= absent || random.below(absent) < chunk.claimed) {
      return Claim.PENDING;
    }
    chunk.claimed++;
    return Claim.YOURS;
  }

  @Override
  public int put(int[] items, SpaceKey space, SlotOwners owners, Plan plan) {
    if (space.chunks() != layout.chunks() || owners.isEmpty()) {
      return 0;
    }
    Chunk chunk = chunk(space.chunk());
    chunk.release(items.length);
    int known = Math.max(0, items.length - chunk.absent());
    return known + spread(chunk, items.length - known, space, owners, plan);
  }

  /** Gives each of the next servers a part; one that is full or gone refuses its own. */
  private int spread(Chunk chunk, int count, SpaceKey space, SlotOwners owners, Plan plan) {
    int parts = Math.clamp(count / LEAST_PART, 1, Math.max(1, plan.members().size()));
    int stored = 0;
    for (int part = 0; part < parts; part++) {
      int some = (int) ((part + 1L) * count / parts - (long) part * count / parts);
      putSlot = (putSlot + GOLDEN_STEP) % SLOTS;
      SimulatedServer server = servers.get(owners.server(putSlot));
      server.follow(plan);
      if (some > 0 && server.reserve(space, some * dataset.itemBytes())) {
        chunk.add(server.index(), some);
        server.stored(space, some, some * dataset.itemBytes());
        stored += some;
      }
    }
    return stored;
  }

  @Override
  public void release(int[] items, SlotOwners owners) {
    for (int item : items) {
      chunk(item).release(1);
    }
  }

  @Override
  public ChunkProgress progress(SpaceKey space, String job) {
    if (space.chunks() != layout.chunks()) {
      layout = new ChunkLayout(dataset.items(), space.chunks());
      chunks = new @Nullable Chunk[0];
    }
    return new CountedProgress(space.chunk());
  }

  @Override
  public Claim claimMissing(int item, String job, SlotOwners owners) {
    Chunk chunk = chunk(item);
    if (chunk.claimed >= chunk.absent()) {
      return Claim.PENDING;
    }
    chunk.claimed++;
    return Claim.YOURS;
  }

  @Override
  public void dropped(SimulatedServer server, SpaceKey space) {
    if (space.chunks() == layout.chunks()) {
      chunk(space.chunk()).lose(server.index());
    }
  }

  @Override
  public int gaveUp(SimulatedServer server, SpaceKey space, OwnedSlots before, OwnedSlots owned) {
    if (space.chunks() != layout.chunks()) {
      return 0;
    }
    return chunk(space.chunk()).lose(server.index(), 1 - before.shareIn(owned));
  }

  /** Counts the items that a job fetches of a chunk; those that nobody has claimed are missing. */
  private final class CountedProgress implements ChunkProgress {
    private final int number;
    private int mine;
    private int refused;

    CountedProgress(int number) {
      this.number = number;
    }

    private int absent() {
      return Math.max(0, chunk(number).absent() - refused);
    }

    private int open() {
      return Math.max(0, absent() - chunk(number).claimed);
    }

    private int[] some(int count) {
      int[] items = new int[count];
      Arrays.fill(items, number);
      return items;
    }

    @Override
    public boolean hasUnseen() {
      return false;
    }

    @Override
    public boolean hasMissing() {
      return open() > 0;
    }

    @Override
    public int elsewhere() {
      return Math.max(0, absent() - mine);
    }

    @Override
    public boolean isWhole() {
      return absent() == 0 && mine == 0;
    }

    @Override
    public int[] unseen(int most) {
      return some(0);
    }

    @Override
    public void seen(int count) {}

    @Override
    public void missing(int item) {}

    @Override
    public int[] takeMissing(int most) {
      return some(Math.min(most, open()));
    }

    @Override
    public void fetching(int item) {
      mine++;
    }

    @Override
    public void ended(int item, End end) {
      mine--;
      refused += end == End.REFUSED ? 1 : 0;
    }

    @Override
    public void leave(int item) {}

    @Override
    public int[] takeElsewhere(int most) {
      return some(Math.min(most, elsewhere()));
    }

    @Override
    public void reclaim() {}
  }
}
