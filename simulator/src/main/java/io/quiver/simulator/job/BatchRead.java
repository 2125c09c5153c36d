package io.quiver.simulator.job;

import io.quiver.core.claim.Claim;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.probe.SupplyMode;
import io.quiver.simulator.cluster.Owners;
import io.quiver.simulator.cluster.SimulatedServer;
import io.quiver.simulator.cluster.Space;
import io.quiver.simulator.cluster.Stock;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.model.Priority;
import io.quiver.simulator.model.Transfer;
import io.quiver.simulator.trace.Trace;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one batch, as the loader does: asks for any of the candidates; of what is then lacking,
 * shares what is held with the other jobs by claims, and reads the rest from the store. Who is told
 * that another job fetches an item looks again until it is there.
 */
final class BatchRead implements Handler {
  private static final long LOOKED = 0;
  private static final long ASKED = 1;
  private static final long CAME = 2;
  private static final long FIRST_PAUSE = Duration.ofMillis(5).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofMillis(20).toNanos();
  private static final long PATIENCE = Duration.ofSeconds(11).toNanos();

  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final List<SimulatedServer> servers;
  private final Fetching fetching;
  private final SimulatedEpoch order;
  private final PlanView view;
  private final Wish wish;
  private final boolean probed;
  private final Consumer<BatchRead> done;
  private final int[] items;
  private int filled;
  private int[] open = new int[0];
  private int coming;
  private long deadline;
  private long pause = FIRST_PAUSE;
  private boolean complete;
  private int fromStore;
  private int fromCache;

  BatchRead(
      Engine engine,
      Trace trace,
      JobSetup setup,
      List<SimulatedServer> servers,
      Fetching fetching,
      SimulatedEpoch order,
      PlanView view,
      Wish wish,
      boolean probed,
      Consumer<BatchRead> done) {
    this.engine = engine;
    this.trace = trace;
    this.setup = setup;
    this.servers = servers;
    this.fetching = fetching;
    this.order = order;
    this.view = view;
    this.wish = wish;
    this.probed = probed;
    this.done = done;
    this.items = new int[wish.size()];
  }

  Wish wish() {
    return wish;
  }

  /** What was read. */
  int[] items() {
    return items;
  }

  /** What was read, and how. */
  LoadedBatch loaded() {
    return new LoadedBatch(items, supplyMode(), probed);
  }

  /** What its time tells about, as the loader judges it. */
  private SupplyMode supplyMode() {
    DatasetPlan held = view.held();
    boolean shared = held != null && held.ring() && !probed;
    return SupplyMode.of(items.length, fromStore, fromCache, shared);
  }

  void start() {
    deadline = engine.now() + PATIENCE;
    if (probed) {
      readUnseen(wish.missing(new int[0]));
    } else if (wish.want() > 0) {
      engine.after(setup.roundTripNanos(), this, LOOKED);
    } else {
      lacking(wish.missing(new int[0]));
    }
  }

  @Override
  public void happen(long what) {
    if (fetching.isStopped()) {
      return;
    }
    if (what == LOOKED) {
      lacking(wish.missing(takeCandidates()));
    } else if (what == ASKED) {
      ask();
    } else {
      arrived((int) (what >>> 2));
    }
    finish();
  }

  private int[] takeCandidates() {
    int[] found = new int[wish.want()];
    int count = 0;
    Hits hits = new Hits();
    for (int item : wish.candidates()) {
      if (count == found.length) {
        break;
      }
      int server = find(item);
      if (server != Stock.NOWHERE) {
        found[count++] = item;
        hits.add(server);
      }
    }
    int[] taken = Arrays.copyOf(found, count);
    fill(taken);
    hits.read();
    return taken;
  }

  private int find(int item) {
    int server = setup.stock().find(item, owners());
    return server != Stock.NOWHERE && servers.get(server).isAlive() ? server : Stock.NOWHERE;
  }

  private Owners owners() {
    return view.owners();
  }

  private void fill(int[] read) {
    System.arraycopy(read, 0, items, filled, read.length);
    filled += read.length;
  }

  /** These have to be read from wherever they can be had. */
  private void lacking(int[] missing) {
    if (missing.length == 0) {
      return;
    }
    if (setup.caching() == Caching.NONE) {
      fill(missing);
      fetch(missing, null);
      return;
    }
    boolean planned = setup.caching() == Caching.PLANNED;
    int[] shared = new int[missing.length];
    int[] alone = new int[missing.length];
    int sharedCount = 0;
    int aloneCount = 0;
    for (int item : missing) {
      if (planned && !view.holds(order.chunkOf(item))) {
        alone[aloneCount++] = item;
      } else {
        shared[sharedCount++] = item;
      }
    }
    int[] rest = Arrays.copyOf(alone, aloneCount);
    fill(rest);
    fetch(rest, null);
    open = Arrays.copyOf(shared, sharedCount);
    if (open.length > 0) {
      engine.after(setup.roundTripNanos(), this, ASKED);
    }
  }

  /** Reads all from the store without looking; what is on its way into the cache is inserted. */
  private void readUnseen(int[] unseen) {
    int[] plain = new int[unseen.length];
    int[] loading = new int[unseen.length];
    int plainCount = 0;
    int loadingCount = 0;
    for (int item : unseen) {
      if (view.loads(order.chunkOf(item))) {
        loading[loadingCount++] = item;
      } else {
        plain[plainCount++] = item;
      }
    }
    int[] alone = Arrays.copyOf(plain, plainCount);
    fill(unseen);
    fetch(alone, null);
    fetchMine(Arrays.copyOf(loading, loadingCount));
  }

  private void fetch(int[] missing, @Nullable Space space) {
    fromStore += missing.length;
    coming += missing.length;
    fetching.demand(missing, space, this::came);
  }

  /** Asks for what is open: there, to be fetched by this job, or on its way to another. */
  private void ask() {
    int[] asked = open;
    int[] later = new int[asked.length];
    int[] mine = new int[asked.length];
    int laterCount = 0;
    int mineCount = 0;
    Hits hits = new Hits();
    for (int item : asked) {
      int server = find(item);
      if (server != Stock.NOWHERE) {
        hits.add(server);
        items[filled++] = item;
      } else if (fetching.join(item, this::came)) {
        coming++;
        fromStore++;
        items[filled++] = item;
      } else if (isMine(item)) {
        mine[mineCount++] = item;
        items[filled++] = item;
      } else {
        later[laterCount++] = item;
      }
    }
    open = Arrays.copyOf(later, laterCount);
    hits.read();
    fetchMine(Arrays.copyOf(mine, mineCount));
    if (open.length > 0) {
      engine.after(pause + setup.roundTripNanos(), this, ASKED);
      pause = Math.min(LONGEST_PAUSE, 2 * pause);
    }
  }

  private boolean isMine(int item) {
    if (setup.caching() != Caching.PLANNED || !setup.loader().claims()) {
      return true;
    }
    Claim claim = setup.stock().claim(item, setup.name(), owners());
    return claim != Claim.PENDING || engine.now() >= deadline;
  }

  /** Fetches, each chunk's items for themselves since they go into spaces of their own. */
  private void fetchMine(int[] mine) {
    if (setup.caching() != Caching.PLANNED) {
      fetch(mine, new Space(setup.dataset().index(), 1, Space.NO_CHUNK));
      return;
    }
    boolean[] taken = new boolean[mine.length];
    for (int i = 0; i < mine.length; i++) {
      if (!taken[i]) {
        int chunk = order.chunkOf(mine[i]);
        int[] alike = new int[mine.length - i];
        int count = 0;
        for (int j = i; j < mine.length; j++) {
          if (!taken[j] && order.chunkOf(mine[j]) == chunk) {
            taken[j] = true;
            alike[count++] = mine[j];
          }
        }
        Space space = new Space(setup.dataset().index(), order.chunks(), chunk);
        fetch(Arrays.copyOf(alike, count), space);
      }
    }
  }

  /** Items that were read from the store have come. */
  private void came(int count) {
    arrived(count);
    finish();
  }

  private void arrived(int count) {
    coming -= count;
  }

  private void finish() {
    if (!complete && coming == 0 && open.length == 0 && filled == items.length) {
      complete = true;
      done.accept(this);
    }
  }

  /** Hits of one question, by server. */
  private final class Hits {
    private final int[] counts = new int[servers.size()];
    private int all;

    void add(int server) {
      counts[server]++;
      all++;
    }

    void read() {
      if (all == 0) {
        return;
      }
      long itemBytes = setup.dataset().itemBytes();
      trace.hits(engine.now(), setup.index(), all, all * itemBytes);
      fromCache += pause == FIRST_PAUSE ? all : 0;
      coming += all;
      for (int server = 0; server < counts.length; server++) {
        if (counts[server] > 0) {
          Transfer.start(
              engine,
              servers.get(server).pathTo(setup.machine()),
              counts[server] * itemBytes,
              Priority.DEMAND,
              BatchRead.this,
              (long) counts[server] << 2 | CAME);
        }
      }
    }
  }
}
