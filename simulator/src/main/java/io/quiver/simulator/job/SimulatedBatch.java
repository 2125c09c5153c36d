package io.quiver.simulator.job;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.BatchRead;
import io.quiver.core.engine.BatchRead.Step;
import io.quiver.core.engine.ItemStatus;
import io.quiver.core.engine.ReadOrder;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.probe.SupplyMode;
import io.quiver.simulator.cluster.DatasetCache;
import io.quiver.simulator.cluster.DatasetCache.SpaceKey;
import io.quiver.simulator.cluster.SimulatedServer;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.model.Transfer;
import io.quiver.simulator.trace.Trace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads one batch in virtual time: carries out the decisions of {@link BatchRead}. */
final class SimulatedBatch implements Handler, BatchRead.Driver {
  /** Names what a job wants to read for one batch. */
  interface Request {
    /** Returns items that should be in the cache; any {@link #want} of them will do. */
    int[] candidates();

    /** Returns how many of the candidates the batch needs. */
    int want();

    /** Returns how many items the batch has. */
    int size();

    /** Returns what else has to be read when only these candidates were there. */
    int[] missing(int[] found);
  }

  private static final long ASKED = 0;
  private static final long WOKEN = 1;
  private static final long CAME = 2;

  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final List<SimulatedServer> servers;
  private final Fetching fetching;
  private final ReadOrder<Request> order;
  private final PlanView view;
  private final Request request;
  private final long number;
  private final boolean probed;
  private final Consumer<SimulatedBatch> done;
  private final BatchRead read;
  // The hits of this event by server, and the servers that have some.
  private final int[] hits;
  private final BitSet hitServers = new BitSet();
  private int[] holders = new int[0];
  // The items to fetch after this event, and their spaces.
  private final int[] wanted;
  private final int[] spaces;
  private int wantedCount;
  private int coming;
  private boolean delivered;
  private boolean complete;

  SimulatedBatch(
      Engine engine,
      Trace trace,
      JobSetup setup,
      List<SimulatedServer> servers,
      Fetching fetching,
      ReadOrder<Request> order,
      PlanView view,
      Request request,
      long number,
      boolean probed,
      Consumer<SimulatedBatch> done) {
    this.engine = engine;
    this.trace = trace;
    this.setup = setup;
    this.servers = servers;
    this.fetching = fetching;
    this.order = order;
    this.view = view;
    this.request = request;
    this.number = number;
    this.probed = probed;
    this.done = done;
    this.hits = new int[servers.size()];
    this.wanted = new int[request.size()];
    this.spaces = new int[request.size()];
    this.read =
        new BatchRead(
            request.candidates(),
            request.want(),
            request.size(),
            request::missing,
            view.isShared() ? BatchRead.Supply.READ_THROUGH : BatchRead.Supply.SHARED,
            this::space,
            this);
  }

  /** Returns the chunk whose space takes an item; any number serves where one space takes all. */
  private int space(int item) {
    if (view.isShared()) {
      return probed ? BatchRead.NO_SPACE : 0;
    }
    int chunk = order.chunkOf(item);
    boolean inserted = probed ? view.loads(chunk) : view.holds(chunk);
    return inserted ? chunk : BatchRead.NO_SPACE;
  }

  Request request() {
    return request;
  }

  /** Returns the number that tells it from the other batches of its job. */
  long number() {
    return number;
  }

  /** Returns the items that were read. */
  int[] items() {
    return read.items();
  }

  /** Returns the supply mode that the time of this batch tells about. */
  SupplyMode supplyMode() {
    DatasetPlan held = view.held();
    return read.supplyMode(held != null && held.ring() && !probed);
  }

  /** Returns true if it was read from the store for a probe's sake. */
  boolean isProbed() {
    return probed;
  }

  void start() {
    follow(read.begin(probed, engine.now()));
  }

  @Override
  public void happen(long what) {
    if (fetching.isStopped()) {
      return;
    }
    if (what == ASKED) {
      answer();
    } else if (what == WOKEN) {
      follow(read.woken(engine.now()));
    } else {
      came((int) (what >>> 2));
    }
  }

  private void follow(Step step) {
    fetchWanted();
    switch (step) {
      case ASK -> engine.after(setup.roundTripNanos(), this, ASKED);
      case PAUSE -> engine.after(read.pauseNanos(), this, WOKEN);
      case DELIVER -> delivered = true;
    }
    finish();
  }

  private void answer() {
    int[] question = read.question();
    ItemStatus[] answer = new ItemStatus[question.length];
    holders = new int[question.length];
    int found = 0;
    boolean failing = false;
    for (int i = 0; i < question.length; i++) {
      int server = found < read.wanted() ? find(question[i]) : DatasetCache.NOWHERE;
      holders[i] = server;
      if (server != DatasetCache.NOWHERE) {
        found++;
        answer[i] = ItemStatus.HIT;
      } else {
        answer[i] = read.claims() && setup.loader().claims() ? claim(question[i]) : ItemStatus.MISS;
        failing |= read.claims() && answer[i] == ItemStatus.MISS && setup.loader().claims();
      }
    }
    Step step = read.answered(Arrays.asList(answer), failing, engine.now());
    readHits();
    follow(step);
  }

  private int find(int item) {
    int server = setup.cache().find(item, view.owners());
    return server != DatasetCache.NOWHERE && servers.get(server).isAlive()
        ? server
        : DatasetCache.NOWHERE;
  }

  private ItemStatus claim(int item) {
    Claim claim = setup.cache().claim(item, setup.name(), view.owners());
    return claim == null
        ? ItemStatus.MISS
        : claim == Claim.YOURS ? ItemStatus.YOURS : ItemStatus.PENDING;
  }

  @Override
  public void hit(int place, int item, int index, boolean cooperative) {
    hits[holders[index]]++;
    hitServers.set(holders[index]);
  }

  @Override
  public boolean join(int place, int item) {
    boolean joined = fetching.join(item, this::came);
    coming += joined ? 1 : 0;
    return joined;
  }

  @Override
  public void fetch(int place, int item, int space) {
    if (!join(place, item)) {
      wanted[wantedCount] = item;
      spaces[wantedCount++] = space;
    }
  }

  @Override
  public boolean insertedSince(int item, long nanos) {
    return false;
  }

  @Override
  public long patienceNanos(long now) {
    return fetching.patience().nanos(now);
  }

  @Override
  public void waited(boolean arrived, long began, long now) {
    if (arrived) {
      fetching.patience().delivered(began, now);
    } else {
      fetching.patience().inVain(began, now);
    }
  }

  /** Fetches items that go into one space together. */
  private void fetchWanted() {
    int from = 0;
    while (from < wantedCount) {
      int space = spaces[from];
      int[] alike = new int[wantedCount - from];
      int count = 0;
      int kept = 0;
      for (int i = from; i < wantedCount; i++) {
        if (spaces[i] == space) {
          alike[count++] = wanted[i];
        } else {
          wanted[from + kept] = wanted[i];
          spaces[from + kept++] = spaces[i];
        }
      }
      wantedCount = from + kept;
      coming += count;
      fetching.demand(Arrays.copyOf(alike, count), spaceOf(space), this::came);
    }
    wantedCount = 0;
  }

  private @Nullable SpaceKey spaceOf(int number) {
    if (number == BatchRead.NO_SPACE) {
      return null;
    }
    return view.isShared()
        ? SpaceKey.SHARED
        : new SpaceKey(setup.dataset().index(), order.chunks(), number);
  }

  private void readHits() {
    int all = 0;
    for (int at = hitServers.nextSetBit(0); at >= 0; at = hitServers.nextSetBit(at + 1)) {
      all += hits[at];
    }
    if (all == 0) {
      return;
    }
    long itemBytes = setup.dataset().itemBytes();
    trace.hits(engine.now(), setup.index(), all, all * itemBytes);
    coming += all;
    for (int at = hitServers.nextSetBit(0); at >= 0; at = hitServers.nextSetBit(at + 1)) {
      Transfer.start(
          engine,
          servers.get(at).pathTo(setup.machine()),
          hits[at] * itemBytes,
          Transfer.Priority.DEMAND,
          this,
          (long) hits[at] << 2 | CAME);
      hits[at] = 0;
    }
    hitServers.clear();
  }

  /** Notes that so many items have arrived. */
  private void came(int count) {
    coming -= count;
    finish();
  }

  private void finish() {
    if (!complete && delivered && coming == 0) {
      complete = true;
      done.accept(this);
    }
  }
}
