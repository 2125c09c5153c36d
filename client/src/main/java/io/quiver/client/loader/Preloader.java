package io.quiver.client.loader;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.SeededPermutation;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings chunks into the cache that the plan says are loading, together with all other jobs of the
 * data set: each looks through the chunk from a starting point of its own, claims what is missing
 * and fetches that. When one chunk has nothing left to claim it goes on with the next, so that the
 * store is never idle while something is to be loaded; and it reports a chunk as soon as it knows
 * all of it to be there.
 */
final class Preloader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Preloader.class);
  private static final long NAP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TROUBLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String job;
  private final int items;
  private final CacheAccess cache;
  private final PlanBoard board;
  private final ChunkClaims claims;
  private final Runnable news;
  private final Set<ChunkGeneration> loaded = ConcurrentHashMap.newKeySet();
  private final Map<ChunkGeneration, ChunkLoad> loads = new LinkedHashMap<>();
  private final Consumer<JobPlan> planWatcher = this::planned;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private boolean closed;
  private boolean woken;
  // Used by the loading thread alone.
  private List<String> servers = List.of();

  Preloader(
      LoaderConfig config,
      String job,
      CacheAccess cache,
      PlanBoard board,
      Fetches fetches,
      Tally tally,
      Runnable news) {
    this.job = job;
    this.items = config.digest().itemCount();
    this.cache = cache;
    this.board = board;
    this.claims =
        new ChunkClaims(
            config.digest(),
            cache,
            fetches,
            tally,
            Math.max(1, config.reads().preload()),
            this::signal);
    this.news = news;
    board.watch(planWatcher);
    if (config.reads().preload() > 0) {
      Thread.ofVirtual().name("quiver-loader-preload").start(this::run);
    }
  }

  /** The turns found whole that the plan still holds. */
  List<ChunkGeneration> loaded() {
    DatasetPlan plan = board.held();
    if (plan == null) {
      return List.of();
    }
    loaded.retainAll(plan.held().stream().map(Preloader::generation).toList());
    return List.copyOf(loaded);
  }

  private static ChunkGeneration generation(ChunkEntry held) {
    return new ChunkGeneration(held.chunk(), held.generation());
  }

  private void run() {
    while (!isClosed()) {
      try {
        nap(round());
      } catch (RuntimeException e) {
        LOG.warn("job {}: preloading failed; it is tried again", job, e);
        nap(NAP_NANOS);
      }
    }
  }

  /** Does what can be done now; says how long to wait at most for the rest. */
  private long round() {
    DatasetPlan plan = board.held();
    follow(plan);
    if (plan == null || cache.client() == null) {
      return NAP_NANOS;
    }
    long pause = NAP_NANOS;
    for (ChunkGeneration generation : List.copyOf(loads.keySet())) {
      ChunkLoad load = loads.get(generation);
      if (load == null) {
        continue;
      }
      if (!claims.advance(load, plan.space(generation.chunk()))) {
        return TROUBLE_NANOS;
      }
      if (load.isWhole()) {
        loads.remove(generation);
        loaded.add(generation);
        news.run();
      } else {
        pause = Math.min(pause, claims.lookAgainNanos(load));
      }
    }
    return pause;
  }

  /**
   * Takes up what the plan has begun to load and forgets what it has not any more. When a server is
   * lost, the others go on with what is left, and its part of held chunks is brought in again
   * (Quiver, §4.8).
   */
  private void follow(@org.jspecify.annotations.Nullable DatasetPlan plan) {
    if (plan == null) {
      loads.clear();
      return;
    }
    loads.keySet().retainAll(plan.held().stream().map(Preloader::generation).toList());
    boolean moved = serversMoved();
    for (ChunkEntry each : plan.held()) {
      boolean loading = each.state() == ChunkState.LOADING && !loaded.contains(generation(each));
      if (loading || moved) {
        loads.computeIfAbsent(generation(each), any -> begin(plan.chunks(), each.chunk()));
      }
    }
  }

  /** Whether other servers own blobs than before, so that held chunks may have gaps. */
  private boolean serversMoved() {
    JobPlan plan = board.plan();
    List<String> before = servers;
    servers = plan == null ? before : plan.members().stream().map(ClusterMember::name).toList();
    return !before.isEmpty() && !servers.equals(before);
  }

  /** In an order without meaning: jobs read from a chunk while it arrives. */
  private ChunkLoad begin(int chunks, int chunk) {
    ChunkLayout layout = new ChunkLayout(items, chunks);
    int size = layout.size(chunk);
    int start = size == 0 ? 0 : Math.floorMod(job.hashCode() * 0x9E3779B9, size);
    SeededPermutation order = new SeededPermutation(size, chunk);
    int[] members =
        IntStream.range(0, size)
            .map(place -> layout.member(chunk, order.at((start + place) % size)))
            .toArray();
    return new ChunkLoad(members, System.nanoTime());
  }

  private void planned(JobPlan plan) {
    signal();
  }

  /** Something has changed: there may be something to do. */
  private void signal() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void nap(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && !woken && left > 0) {
        left = changed.awaitNanos(left);
      }
      woken = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Claims nothing more, and brings in what it has claimed as far as that takes no longer. */
  void close(Duration longest) {
    close();
    if (cache.answers()) {
      claims.settle(longest);
    }
  }

  @Override
  public void close() {
    board.unwatch(planWatcher);
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
