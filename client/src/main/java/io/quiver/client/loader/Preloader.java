package io.quiver.client.loader;

import io.quiver.client.Lookup;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.engine.ChunkProgress.End;
import io.quiver.core.engine.ItemStatus;
import io.quiver.core.engine.MemberProgress;
import io.quiver.core.engine.Preload;
import io.quiver.core.engine.PreloadThrottle;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.space.SpaceId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings chunks into the cache in a thread of its own: carries out what {@link Preload} decides.
 */
final class Preloader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Preloader.class);

  private final String job;
  private final DatasetDigest digest;
  private final CacheAccess cache;
  private final LatestPlan board;
  private final StoreFetcher fetcher;
  private final Tally tally;
  private final Runnable news;
  private final Consumer<JobPlan> planWatcher = this::planned;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All below guarded by the lock.
  private final Preload preload;
  private boolean closed;
  private boolean woken;
  private @Nullable JobPlan followed;

  Preloader(
      LoaderConfig config,
      String job,
      CacheAccess cache,
      LatestPlan board,
      StoreFetcher fetcher,
      Tally tally,
      Runnable news) {
    this.job = job;
    this.digest = config.digest();
    this.cache = cache;
    this.board = board;
    this.fetcher = fetcher;
    this.tally = tally;
    this.news = news;
    this.preload =
        new Preload(
            PreloadThrottle.of(config.reads().preload()),
            (chunks, chunk) -> MemberProgress.of(digest.itemCount(), chunks, chunk, job));
    board.watch(planWatcher);
    if (config.reads().preload() > 0) {
      Thread.ofVirtual().name("quiver-loader-preload").start(this::run);
    }
  }

  /** Returns the chunks found whole of which the plan does not know it yet. */
  List<ChunkGeneration> loaded() {
    lock.lock();
    try {
      follow();
      return preload.loaded();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!isClosed()) {
      try {
        nap(advance());
      } catch (RuntimeException e) {
        LOG.warn("job {}: preloading failed; it is tried again", job, e);
        nap(ReadRules.PRELOAD_NAP.toNanos());
      }
    }
  }

  /** Does what can be done now; returns how long to wait at most for the rest. */
  private long advance() {
    while (true) {
      Preload.Step step;
      int[] question;
      ChunkGeneration chunk;
      SpaceId space;
      boolean demandWaits = fetcher.demandWaits();
      long now = System.nanoTime();
      lock.lock();
      try {
        DatasetPlan held = follow();
        if (closed || held == null || cache.client() == null) {
          return ReadRules.PRELOAD_NAP.toNanos();
        }
        step = preload.next(demandWaits, now);
        if (step == Preload.Step.PAUSE) {
          tell();
          return preload.pauseNanos();
        }
        question = preload.question();
        chunk = preload.chunk();
        space = held.space(chunk.chunk());
      } finally {
        lock.unlock();
      }
      Lookup lookup = ask(question, step == Preload.Step.CLAIM);
      for (int item : answered(lookup)) {
        fetch(chunk, item, space, now);
      }
    }
  }

  /** Lets the preload follow the latest plan; returns what that has of the data set. */
  @SuppressWarnings("ReferenceEquality") // The very plan that was followed last.
  private @Nullable DatasetPlan follow() {
    JobPlan plan = board.plan();
    if (plan != followed && plan != null) {
      followed = plan;
      List<String> servers = plan.members().stream().map(ClusterMember::name).toList();
      preload.planned(plan.dataset(), servers, System.nanoTime());
    }
    return plan == null ? null : plan.dataset();
  }

  private void tell() {
    if (preload.takeNews()) {
      news.run();
    }
  }

  private int[] answered(@Nullable Lookup lookup) {
    lock.lock();
    try {
      int[] mine =
          preload.answered(
              lookup == null ? null : statuses(lookup),
              lookup == null || !lookup.failures().isEmpty(),
              System.nanoTime());
      tell();
      return mine;
    } finally {
      lock.unlock();
    }
  }

  private static List<ItemStatus> statuses(Lookup lookup) {
    return lookup.statuses().stream().map(BatchReader::status).toList();
  }

  /** Looks items up; returns null when there is nobody to ask. */
  private @Nullable Lookup ask(int[] items, boolean claim) {
    return cache.lookup(IntStream.of(items).mapToObj(digest::hash).toList(), claim);
  }

  private void fetch(ChunkGeneration chunk, int item, SpaceId space, long askedAt) {
    Thread.ofVirtual()
        .name("quiver-loader-preload-fetch")
        .start(() -> fetcher.preload(item, space, tally, askedAt, end -> ended(chunk, item, end)));
  }

  private void ended(ChunkGeneration chunk, int item, End end) {
    lock.lock();
    try {
      preload.ended(chunk, item, end, System.nanoTime());
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void planned(JobPlan plan) {
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
    if (!cache.answers()) {
      return;
    }
    lock.lock();
    try {
      long left = longest.toNanos();
      while (preload.underWay() > 0 && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
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
