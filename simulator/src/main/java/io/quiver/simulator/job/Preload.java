package io.quiver.simulator.job;

import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.cluster.Space;
import io.quiver.simulator.cluster.Stock;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Brings chunks in that the plan says are loading, together with all other jobs of the data set, as
 * the loader does: walks through each, claims what is missing and fetches it when the link to the
 * store has nothing more urgent. When one chunk has nothing left to claim it goes on with the next;
 * what others fetch it looks for again and again. A job that does not preload only looks whether
 * chunks are whole.
 */
final class Preload implements Handler {
  private static final int LOOK = 256;
  private static final long LOOK_AGAIN = Duration.ofMillis(4).toNanos();
  private static final long LOOK_AGAIN_EACH = Duration.ofNanos(200_000).toNanos();
  private static final long STUCK = Duration.ofMillis(500).toNanos();

  private final Engine engine;
  private final JobSetup setup;
  private final Fetching fetching;
  private final Supplier<PlanView> view;
  private final Runnable news;
  private final Set<ChunkGeneration> loaded = new LinkedHashSet<>();
  private final Map<ChunkGeneration, Load> loads = new LinkedHashMap<>();
  private List<String> servers = List.of();
  private int reads;
  private long dueAt = Long.MAX_VALUE;
  private boolean stopped;

  /** How far one chunk is on its way, as this job knows. */
  private static final class Load {
    private final Space space;
    private final Stock.Walk walk;
    private int mine;
    private long movedAt;
    private long lookedAt;

    Load(Space space, Stock.Walk walk, long now) {
      this.space = space;
      this.walk = walk;
      this.movedAt = now;
      this.lookedAt = now;
    }

    boolean isWhole() {
      return walk.seenAll() && mine == 0 && walk.awaited() == 0;
    }
  }

  Preload(
      Engine engine, JobSetup setup, Fetching fetching, Supplier<PlanView> view, Runnable news) {
    this.engine = engine;
    this.setup = setup;
    this.fetching = fetching;
    this.view = view;
    this.news = news;
  }

  /** The turns found whole that the plan still has. */
  List<ChunkGeneration> loaded() {
    DatasetPlan plan = view.get().held();
    if (plan == null) {
      return List.of();
    }
    Set<ChunkGeneration> held = new HashSet<>();
    plan.held().forEach(each -> held.add(generation(each)));
    loaded.retainAll(held);
    return List.copyOf(loaded);
  }

  private static ChunkGeneration generation(ChunkEntry held) {
    return new ChunkGeneration(held.chunk(), held.generation());
  }

  void stop() {
    stopped = true;
  }

  /**
   * A new plan is there: takes up what it has begun to load and forgets what it has not. When
   * servers have come or gone, what they had or should have is looked for in all held chunks.
   */
  void planned() {
    DatasetPlan plan = view.get().held();
    if (plan == null) {
      loads.clear();
      return;
    }
    loads.keySet().retainAll(plan.held().stream().map(Preload::generation).toList());
    List<String> before = servers;
    servers = view.get().servers();
    boolean moved = !before.isEmpty() && !servers.equals(before);
    for (ChunkEntry each : plan.held()) {
      boolean loads = each.state() == ChunkState.LOADING && !loaded.contains(generation(each));
      if (loads || moved) {
        begin(plan, each);
      }
    }
    advanceAfter(0);
  }

  private void begin(DatasetPlan plan, ChunkEntry held) {
    loads.computeIfAbsent(
        generation(held),
        any -> {
          Space space = new Space(setup.dataset().index(), plan.chunks(), held.chunk());
          Stock.Walk walk = setup.stock().walk(space, setup.name(), setup.loader().preload());
          return new Load(space, walk, engine.now());
        });
  }

  private void advanceAfter(long nanos) {
    long at = engine.now() + nanos;
    if (!stopped && !loads.isEmpty() && at < dueAt) {
      dueAt = at;
      engine.at(at, this, at);
    }
  }

  /** Brings chunks on as far as goes without waiting. */
  @Override
  public void happen(long at) {
    if (stopped || at != dueAt) {
      return;
    }
    dueAt = Long.MAX_VALUE;
    long pause = STUCK;
    boolean idle = reads < setup.loader().preloadReads();
    for (ChunkGeneration each : List.copyOf(loads.keySet())) {
      Load load = loads.get(each);
      if (load != null) {
        pause = Math.min(pause, advance(load, idle));
        idle &= load.walk.seenAll();
        noteWhole(each, load);
      }
    }
    advanceAfter(pause);
  }

  /** Does one step for a chunk; says how long to wait at most before the next. */
  private long advance(Load load, boolean mayClaim) {
    if (!load.walk.seenAll()) {
      if (mayClaim) {
        claim(load);
      }
      return mayClaim ? setup.roundTripNanos() : STUCK;
    }
    int awaited = load.walk.awaited();
    if (awaited == 0) {
      return STUCK;
    }
    long pause = LOOK_AGAIN + awaited * LOOK_AGAIN_EACH;
    long since = engine.now() - load.lookedAt;
    if (since < pause) {
      return pause - since;
    }
    lookAgain(load);
    return setup.roundTripNanos();
  }

  private void claim(Load load) {
    int[] items =
        load.walk.claim(setup.fetchItems(), LOOK, view.get().owners(), fetching::isUnderWay);
    if (items.length > 0) {
      reads++;
      load.mine++;
      load.movedAt = engine.now();
      fetching.preload(items, load.space, (stored, here) -> stored(load, stored, here));
    }
  }

  private void lookAgain(Load load) {
    load.lookedAt = engine.now();
    if (load.walk.lookAgain(LOOK, view.get().owners())) {
      load.movedAt = engine.now();
    } else if (engine.now() - load.movedAt > STUCK) {
      load.walk.reclaim();
      load.movedAt = engine.now();
    }
  }

  private void stored(Load load, int[] items, int here) {
    reads--;
    load.mine--;
    load.movedAt = engine.now();
    if (here < items.length) {
      load.walk.refused(items, here, view.get().owners());
    }
    advanceAfter(0);
  }

  private void noteWhole(ChunkGeneration generation, Load load) {
    if (load.isWhole()) {
      loads.remove(generation);
      loaded.add(generation);
      news.run();
    }
  }
}
