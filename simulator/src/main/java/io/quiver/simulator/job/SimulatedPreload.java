package io.quiver.simulator.job;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress.End;
import io.quiver.core.engine.ItemStatus;
import io.quiver.core.engine.Preload;
import io.quiver.core.engine.Preload.Step;
import io.quiver.core.engine.PreloadThrottle;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.cluster.DatasetCache;
import io.quiver.simulator.cluster.DatasetCache.SpaceKey;
import io.quiver.simulator.cluster.SlotOwners;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Brings chunks in, in virtual time: carries out the decisions of {@link Preload}. One read from
 * the store brings several items. A job that does not preload only checks if chunks are whole.
 */
final class SimulatedPreload implements Handler {
  private static final long ANSWERED = -1;

  private final Engine engine;
  private final JobSetup setup;
  private final Fetching fetching;
  private final Supplier<PlanView> view;
  private final Runnable news;
  private final Preload preload;
  private long dueAt = Long.MAX_VALUE;
  private boolean asking;
  private boolean claiming;
  private boolean stopped;

  SimulatedPreload(
      Engine engine, JobSetup setup, Fetching fetching, Supplier<PlanView> view, Runnable news) {
    this.engine = engine;
    this.setup = setup;
    this.fetching = fetching;
    this.view = view;
    this.news = news;
    int lot = setup.loader().preload() ? setup.fetchItems() : 0;
    this.preload =
        new Preload(
            new PreloadThrottle(lot, setup.loader().preloadReads(), lot),
            (chunks, chunk) -> {
              SpaceKey space = new SpaceKey(setup.dataset().index(), chunks, chunk);
              return setup.cache().progress(space, setup.name());
            });
  }

  /** Returns the chunks found whole of which the plan does not know it yet. */
  List<ChunkGeneration> loaded() {
    return preload.loaded();
  }

  void stop() {
    stopped = true;
  }

  /** Follows a new plan. */
  void planned() {
    preload.planned(view.get().held(), view.get().servers(), engine.now());
    advance();
  }

  @Override
  public void happen(long what) {
    if (stopped) {
      return;
    }
    if (what == ANSWERED) {
      asking = false;
      answer();
      advance();
    } else if (what == dueAt) {
      dueAt = Long.MAX_VALUE;
      advance();
    }
  }

  private void advance() {
    if (stopped || asking || !preload.isLoading()) {
      return;
    }
    boolean demandWaits = fetching.demandItems() > ReadRules.STORE_READS;
    Step step = preload.next(demandWaits, engine.now());
    if (preload.takeNews()) {
      news.run();
    }
    if (step != Step.PAUSE) {
      asking = true;
      claiming = step == Step.CLAIM;
      engine.after(setup.roundTripNanos(), this, ANSWERED);
      return;
    }
    long at = engine.now() + preload.pauseNanos();
    if (preload.isLoading() && at < dueAt) {
      dueAt = at;
      engine.at(at, this, at);
    }
  }

  private void answer() {
    int[] question = preload.question();
    ItemStatus[] answer = new ItemStatus[question.length];
    boolean failing = false;
    for (int i = 0; i < question.length; i++) {
      answer[i] = status(question[i]);
      failing |= claiming && answer[i] == ItemStatus.MISS;
    }
    ChunkGeneration chunk = preload.chunk();
    int[] mine = preload.answered(Arrays.asList(answer), failing, engine.now());
    DatasetPlan plan = view.get().held();
    if (mine.length > 0 && plan != null) {
      SpaceKey space = new SpaceKey(setup.dataset().index(), plan.chunks(), chunk.chunk());
      fetching.preload(mine, space, (items, here) -> stored(chunk, items, here));
    }
  }

  private ItemStatus status(int item) {
    SlotOwners owners = view.get().owners();
    DatasetCache cache = setup.cache();
    if (!claiming || setup.dataset().named()) {
      if (cache.find(item, owners) != DatasetCache.NOWHERE) {
        return ItemStatus.HIT;
      }
      if (!claiming) {
        return ItemStatus.MISS;
      }
      if (fetching.isUnderWay(item)) {
        return ItemStatus.PENDING;
      }
    }
    Claim claim = cache.claimMissing(item, setup.name(), owners);
    return claim == null
        ? ItemStatus.MISS
        : claim == Claim.YOURS ? ItemStatus.YOURS : ItemStatus.PENDING;
  }

  private void stored(ChunkGeneration chunk, int[] items, int here) {
    for (int i = 0; i < items.length; i++) {
      preload.ended(chunk, items[i], end(items[i], i < here), engine.now());
    }
    advance();
  }

  private End end(int item, boolean among) {
    if (!setup.dataset().named()) {
      return among ? End.HERE : End.REFUSED;
    }
    SlotOwners owners = view.get().owners();
    if (setup.cache().find(item, owners) != DatasetCache.NOWHERE) {
      return End.HERE;
    }
    return setup.cache().answers(item, owners) ? End.REFUSED : End.FAILED;
  }
}
