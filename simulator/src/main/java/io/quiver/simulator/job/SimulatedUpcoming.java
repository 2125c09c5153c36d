package io.quiver.simulator.job;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ItemStatus;
import io.quiver.core.engine.ReadAheadWindow;
import io.quiver.core.engine.ReadAheadWindow.Kind;
import io.quiver.core.engine.ReadAheadWindow.Step;
import io.quiver.core.engine.ReadOrder;
import io.quiver.simulator.cluster.DatasetCache;
import io.quiver.simulator.cluster.DatasetCache.SpaceKey;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the items that a known order will need before they are drawn: carries out the steps of the
 * epoch's {@link ReadAheadWindow} in virtual time.
 */
final class SimulatedUpcoming implements Handler {
  private final Engine engine;
  private final JobSetup setup;
  private final Fetching fetching;
  private final Supplier<PlanView> view;
  private final Supplier<ReadOrder<?>> order;
  private final Supplier<ReadAheadWindow<?>> window;
  private @Nullable Step asked;
  private @Nullable ReadAheadWindow<?> askedBy;
  private boolean movedOn;

  SimulatedUpcoming(
      Engine engine,
      JobSetup setup,
      Fetching fetching,
      Supplier<PlanView> view,
      Supplier<ReadOrder<?>> order,
      Supplier<ReadAheadWindow<?>> window) {
    this.engine = engine;
    this.setup = setup;
    this.fetching = fetching;
    this.view = view;
    this.order = order;
    this.window = window;
  }

  /**
   * Looks ahead, because the order has moved on. A cache that takes every miss is left alone: what
   * other jobs insert meanwhile would be read twice.
   */
  void moveOn() {
    movedOn = asked != null;
    if (!movedOn && !view.get().isShared()) {
      ReadAheadWindow<?> latest = window.get();
      follow(latest, latest.lookAhead(this::upcoming));
    }
  }

  private int[] upcoming(int count) {
    return order.get().upcoming(count);
  }

  private void follow(ReadAheadWindow<?> by, Step step) {
    asked = null;
    if (step.kind() == Kind.REST) {
      return;
    }
    if (step.kind() == Kind.FETCH) {
      fetch(step.items());
      return;
    }
    asked = step;
    askedBy = by;
    engine.after(setup.roundTripNanos(), this, 0);
  }

  /** Takes the answer to a question, unless its epoch is over. */
  @Override
  public void happen(long what) {
    Step question = asked;
    ReadAheadWindow<?> by = askedBy;
    if (question == null || by == null || fetching.isStopped()) {
      return;
    }
    if (by != window.get()) {
      asked = null;
    } else if (question.kind() == Kind.LOOK_UP) {
      List<ItemStatus> found = question.items().stream().map(this::lookUp).toList();
      follow(by, by.lookedUp(found, item -> space(item) != null, this::upcoming));
    } else {
      follow(by, by.claimed(question.items().stream().map(this::claim).toList(), this::upcoming));
    }
    if (movedOn && asked == null) {
      moveOn();
    }
  }

  private ItemStatus lookUp(int item) {
    int server = setup.cache().find(item, view.get().owners());
    return server == DatasetCache.NOWHERE ? ItemStatus.MISS : ItemStatus.HIT;
  }

  private ItemStatus claim(int item) {
    if (!setup.loader().claims()) {
      return ItemStatus.YOURS;
    }
    Claim claim = setup.cache().claim(item, setup.name(), view.get().owners());
    return claim == Claim.YOURS ? ItemStatus.YOURS : ItemStatus.PENDING;
  }

  private @Nullable SpaceKey space(int item) {
    ReadOrder<?> latest = order.get();
    int chunk = latest.chunkOf(item);
    return view.get().holds(chunk)
        ? new SpaceKey(setup.dataset().index(), latest.chunks(), chunk)
        : null;
  }

  private void fetch(List<Integer> items) {
    Map<Optional<SpaceKey>, List<Integer>> bySpace = new LinkedHashMap<>();
    for (int item : items) {
      Optional<SpaceKey> space = Optional.ofNullable(space(item));
      bySpace.computeIfAbsent(space, any -> new ArrayList<>()).add(item);
    }
    bySpace.forEach((space, some) ->
        fetching.ahead(some.stream().mapToInt(Integer::intValue).toArray(), space.orElse(null)));
  }
}
