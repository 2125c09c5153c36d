package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;
import io.quiver.remote.ingest.Cut.PlannedCut;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands objects to the workers in the order of the listing and keeps their tasks in that order.
 *
 * <p>Small objects travel in groups. How many tasks are under way is bounded; used by one thread.
 */
final class Dispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final int GROUP_OBJECTS = 16;
  private static final long GROUP_BYTES = 256 << 10;
  private static final int TASKS_AHEAD = 256;
  private static final long BUDGET_BYTES = 64L << 20;

  private final ListingSpool listing;
  private final CutPlanner planner;
  private final DigestProgress progress;
  private final PartBudget budget = new PartBudget(BUDGET_BYTES);
  private final ExecutorService workers;
  private final ThreadLocal<Hasher> hashers;
  private final int maxTasks;
  private final Deque<IngestTask> underWay = new ArrayDeque<>();
  private final Deque<PlannedCut> planned = new ArrayDeque<>();

  Dispatcher(ListingSpool listing, CutPlanner planner, int workers, DigestProgress progress) {
    this.listing = listing;
    this.planner = planner;
    this.progress = progress;
    this.maxTasks = TASKS_AHEAD + 2 * workers;
    this.hashers = ThreadLocal.withInitial(() -> new Hasher(progress));
    this.workers =
        Executors.newFixedThreadPool(
            workers, Thread.ofPlatform().daemon().name("digest-worker-", 0).factory());
  }

  /**
   * Returns the first task in order, or null when all is done; waits for the listing. Null when
   * everything is done.
   */
  @Nullable IngestTask head() throws IOException, InterruptedException {
    handOut();
    while (underWay.isEmpty()) {
      RemoteObject object = listing.next();
      if (object == null) {
        return null;
      }
      plan(object);
      handOut();
    }
    IngestTask head = underWay.getFirst();
    budget.first(head.share());
    return head;
  }

  /** Returns the next part of the first task and keeps the workers busy while it waits. */
  ItemPart nextPart(IngestTask head) throws IOException, InterruptedException {
    ItemPart part = head.poll();
    while (part == null) {
      if (head.exhausted()) {
        throw new IngestException("a worker ended without its result; run again to go on");
      }
      handOut();
      part = head.poll();
    }
    budget.release(head.share(), part.footprint());
    if (part.last) {
      underWay.removeFirst();
    }
    return part;
  }

  @Override
  public void close() {
    workers.shutdownNow();
    try {
      if (!workers.awaitTermination(60, TimeUnit.SECONDS)) {
        LOG.warn("workers still wait for the store; they end with their reads' deadlines");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handOut() throws IOException {
    while (underWay.size() < maxTasks) {
      List<PlannedCut> group = nextGroup();
      if (group.isEmpty()) {
        return;
      }
      IngestTask task = new IngestTask(group, budget, hashers::get);
      underWay.addLast(task);
      workers.execute(task);
    }
  }

  private List<PlannedCut> nextGroup() throws IOException {
    List<PlannedCut> group = new ArrayList<>();
    long bytes = 0;
    while (group.size() < GROUP_OBJECTS && bytes < GROUP_BYTES && plannedMore()) {
      PlannedCut cut = planned.removeFirst();
      group.add(cut);
      bytes += cut.bytes();
    }
    return group;
  }

  private boolean plannedMore() throws IOException {
    while (planned.isEmpty()) {
      RemoteObject object = listing.poll();
      if (object == null) {
        return false;
      }
      plan(object);
    }
    return true;
  }

  private void plan(RemoteObject object) {
    List<PlannedCut> cuts = planner.plan(object);
    if (cuts.isEmpty()) {
      progress.objectDone();
      progress.bytesDone(object.size());
    }
    planned.addAll(cuts);
  }
}
