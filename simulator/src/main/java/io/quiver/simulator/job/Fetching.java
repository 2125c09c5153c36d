package io.quiver.simulator.job;

import io.quiver.core.engine.ClaimPatience;
import io.quiver.simulator.cluster.DatasetCache.SpaceKey;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.model.Link;
import io.quiver.simulator.model.Transfer;
import io.quiver.simulator.model.Transfer.Priority;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads items from the store, several together, and inserts them into the cache afterwards in the
 * background. Batches share an item that is being read already.
 */
final class Fetching {
  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final Supplier<PlanView> view;
  private final List<Link> storePath;
  private final boolean shares;
  private final Map<Integer, Group> underWay = new HashMap<>();
  private final ClaimPatience patience = new ClaimPatience();
  private final Map<Integer, Group> ahead = new HashMap<>();
  private int demandItems;
  private boolean stopped;
  private boolean killed;

  Fetching(Engine engine, Trace trace, JobSetup setup, Supplier<PlanView> view) {
    this.engine = engine;
    this.trace = trace;
    this.setup = setup;
    this.view = view;
    this.storePath = setup.storePath();
    this.shares = setup.dataset().named();
  }

  /**
   * Ends the job's batches. Reads that are under way come to their end and are inserted, as when a
   * loader is closed, unless the job was killed.
   */
  void stop(boolean byForce) {
    stopped = true;
    killed = byForce;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Is told when items have arrived. */
  @FunctionalInterface
  interface Waiter {
    /** Tells that so many of the items waited for are here. */
    void arrived(int items);
  }

  /** Is told how bringing items in has ended. */
  @FunctionalInterface
  interface Ended {
    /** Tells how many of these items are cached now. */
    void stored(int[] items, int here);
  }

  /** Returns how long the job's batches wait for what other jobs have claimed. */
  ClaimPatience patience() {
    return patience;
  }

  /** Returns how many items are being read for batches. */
  int demandItems() {
    return demandItems;
  }

  /** Returns true if an item is being read. */
  boolean isUnderWay(int item) {
    return underWay.containsKey(item);
  }

  /**
   * Waits for an item that was read ahead, is being read or is on its way into the cache; returns
   * false if it is none of them. What is not urgent yet becomes so. Of items without names the last
   * read of their chunk is taken for theirs, which hurries it and is not waited for.
   */
  boolean join(int item, Waiter waiter) {
    Group readAhead = ahead.remove(item);
    Group group = readAhead == null ? underWay.get(item) : readAhead;
    if (group == null || (group.here && !shares)) {
      return false;
    }
    if (group.here) {
      waiter.arrived(1);
      return true;
    }
    group.promote();
    if (shares) {
      group.waiters.add(waiter);
    }
    return shares;
  }

  /**
   * Reads items for a batch.
   *
   * @param space where they go afterwards; null for nowhere
   */
  void demand(int[] items, @Nullable SpaceKey space, Waiter waiter) {
    for (int[] part : parts(items)) {
      start(new Group(part, space, Priority.DEMAND, waiter, (stored, here) -> {}));
    }
  }

  /** Divides items into those that one read from the store brings. */
  private List<int[]> parts(int[] items) {
    int most = setup.fetchItems();
    List<int[]> parts = new ArrayList<>(Math.ceilDiv(items.length, most));
    for (int from = 0; from < items.length; from += most) {
      parts.add(Arrays.copyOfRange(items, from, Math.min(items.length, from + most)));
    }
    return parts;
  }

  /**
   * Reads items that a batch will need, when nothing more urgent is to be read; they are kept until
   * a batch joins them. An item that is being read already is left to its reader.
   */
  void ahead(int[] items, @Nullable SpaceKey space) {
    int[] unread = Arrays.stream(items).filter(item -> !underWay.containsKey(item)).toArray();
    for (int[] part : parts(unread)) {
      Group group = new Group(part, space, Priority.BACKGROUND, arrived -> {}, (some, here) -> {});
      for (int item : part) {
        ahead.put(item, group);
      }
      start(group);
    }
  }

  /** Brings in items that no batch waits for. */
  void preload(int[] items, SpaceKey space, Ended ended) {
    start(new Group(items, space, Priority.BACKGROUND, arrived -> {}, ended));
  }

  private void start(Group group) {
    group.names().forEach(item -> underWay.put(item, group));
    demandItems += group.priority == Priority.DEMAND ? group.items.length : 0;
    long bytes = group.items.length * setup.dataset().itemBytes();
    group.transfer = Transfer.start(engine, storePath, bytes, group.priority, group, Group.READ);
  }

  /** Items that are read together. */
  private final class Group implements Handler {
    private static final long READ = 0;
    private static final long SENT = 1;

    private final int[] items;
    private final @Nullable SpaceKey space;
    private final Priority priority;
    private final Waiter first;
    private final Ended ended;
    private final List<Waiter> waiters = new ArrayList<>(0);
    private @Nullable Transfer transfer;
    private boolean here;

    Group(int[] items, @Nullable SpaceKey space, Priority priority, Waiter first, Ended ended) {
      this.items = items;
      this.space = space;
      this.priority = priority;
      this.first = first;
      this.ended = ended;
    }

    /** Returns the numbers of the items; items without names have that of their chunk. */
    IntStream names() {
      return shares ? Arrays.stream(items) : Arrays.stream(items).limit(1);
    }

    @Override
    public void happen(long what) {
      if (killed) {
        abandon();
      } else if (what == READ) {
        read();
      } else {
        store();
      }
    }

    void promote() {
      Transfer reading = transfer;
      if (reading != null) {
        reading.promote();
      }
    }

    /** Claims on named items lapse by themselves. */
    private void abandon() {
      if (!shares && space != null) {
        setup.cache().release(items, view.get().owners());
      }
    }

    private void read() {
      here = true;
      long bytes = items.length * setup.dataset().itemBytes();
      boolean demanded = priority == Priority.DEMAND;
      demandItems -= demanded ? items.length : 0;
      trace.storeRead(engine.now(), setup.index(), items.length, bytes, demanded);
      if (space == null) {
        forget();
      } else {
        List<Link> path = List.of(setup.machine().out());
        Transfer.start(engine, path, bytes, Priority.BACKGROUND, this, SENT);
      }
      first.arrived(items.length);
      waiters.forEach(waiter -> waiter.arrived(1));
    }

    private void store() {
      PlanView latest = view.get();
      SpaceKey into = Objects.requireNonNull(space);
      int stored = setup.cache().put(items, into, latest.owners(), latest.plan());
      forget();
      ended.stored(items, stored);
    }

    private void forget() {
      names().forEach(item -> underWay.remove(item, this));
    }
  }
}
