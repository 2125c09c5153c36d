package io.quiver.client.loader;

import io.quiver.client.Lookup;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.plan.ChunkState;
import io.quiver.core.plan.ChunkTurn;
import io.quiver.core.plan.DatasetPlan;
import io.quiver.core.plan.HeldChunk;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.sampling.ChunkLayout;
import io.quiver.protocol.AskStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings chunks into the cache that the plan says are loading, together with all other jobs of the
 * data set: each walks through the chunk from a starting point of its own, claims what is missing
 * and fetches that. A chunk is whole when one walk found everything there, or refused for good.
 */
final class Preloader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Preloader.class);
  private static final int LOOK = 256;
  private static final long NAP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONGEST_FETCH_SECONDS = 60;

  private final String job;
  private final DatasetDigest digest;
  private final CacheAccess cache;
  private final PlanBoard board;
  private final Fetches fetches;
  private final Tally tally;
  private final Runnable news;
  private final int window;
  private final int claims;
  private final Semaphore slots;
  private final Set<ChunkTurn> loaded = ConcurrentHashMap.newKeySet();
  private final Consumer<JobPlan> planWatcher = this::planned;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private boolean closed;

  /** One walk over a chunk. */
  private static final class Walk {
    private final Set<Integer> refused = ConcurrentHashMap.newKeySet();
    private final Set<Integer> failed = ConcurrentHashMap.newKeySet();
    private int elsewhere;
  }

  Preloader(
      LoaderConfig config,
      String job,
      CacheAccess cache,
      PlanBoard board,
      Fetches fetches,
      Tally tally,
      Runnable news) {
    this.job = job;
    this.digest = config.digest();
    this.cache = cache;
    this.board = board;
    this.fetches = fetches;
    this.tally = tally;
    this.news = news;
    this.claims = Math.max(1, config.reads().preload());
    this.window = 2 * claims;
    this.slots = new Semaphore(window);
    board.watch(planWatcher);
    if (config.reads().preload() > 0) {
      Thread.ofVirtual().name("quiver-loader-preload").start(this::run);
    }
  }

  /** The turns found whole that the plan still calls loading. */
  List<ChunkTurn> loaded() {
    DatasetPlan plan = board.held();
    if (plan == null) {
      return List.of();
    }
    List<ChunkTurn> current =
        plan.held().stream().map(each -> new ChunkTurn(each.chunk(), each.turn())).toList();
    loaded.retainAll(current);
    return List.copyOf(loaded);
  }

  private void run() {
    while (!isClosed()) {
      try {
        Optional<HeldChunk> next = next();
        if (next.isPresent()) {
          load(next.get());
        } else {
          nap(NAP_NANOS, true);
        }
      } catch (RuntimeException e) {
        LOG.warn("job {}: preloading failed; it is tried again", job, e);
        nap(NAP_NANOS, false);
      }
    }
  }

  private Optional<HeldChunk> next() {
    DatasetPlan plan = board.held();
    if (plan == null || cache.client() == null) {
      return Optional.empty();
    }
    return plan.held().stream()
        .filter(each -> each.state() == ChunkState.LOADING)
        .filter(each -> !loaded.contains(new ChunkTurn(each.chunk(), each.turn())))
        .findFirst();
  }

  /** Walks until the chunk is whole or the plan has changed its mind. */
  private void load(HeldChunk chunk) {
    long pause = FIRST_PAUSE_NANOS;
    Set<Integer> refused = ConcurrentHashMap.newKeySet();
    while (wanted(chunk)) {
      Walk walk = new Walk();
      walk.refused.addAll(refused);
      boolean complete = walk(chunk, walk);
      refused.addAll(walk.refused);
      if (complete && walk.elsewhere == 0 && walk.failed.isEmpty()) {
        loaded.add(new ChunkTurn(chunk.chunk(), chunk.turn()));
        news.run();
        return;
      }
      nap(pause, false);
      pause = Math.min(LONGEST_PAUSE_NANOS, 2 * pause);
    }
  }

  private boolean wanted(HeldChunk chunk) {
    return !isClosed()
        && next()
            .filter(each -> each.chunk() == chunk.chunk() && each.turn() == chunk.turn())
            .isPresent();
  }

  /** One walk; says whether it came to its end. */
  private boolean walk(HeldChunk chunk, Walk walk) {
    DatasetPlan plan = board.held();
    if (plan == null || plan.find(chunk.chunk()).isEmpty()) {
      return false;
    }
    ChunkLayout layout = new ChunkLayout(digest.itemCount(), plan.chunks());
    int size = layout.size(chunk.chunk());
    int start = size == 0 ? 0 : Math.floorMod(job.hashCode() * 0x9E3779B9, size);
    for (int from = 0; from < size; from += LOOK) {
      int[] members =
          IntStream.range(from, Math.min(size, from + LOOK))
              .map(place -> layout.member(chunk.chunk(), (start + place) % size))
              .toArray();
      if (!wanted(chunk) || !bringIn(members, plan, chunk.chunk(), walk)) {
        return false;
      }
    }
    return awaitFetches();
  }

  private boolean bringIn(int[] members, DatasetPlan plan, int chunk, Walk walk) {
    int[] missing = filter(members, false, walk, plan, chunk);
    for (int from = 0; from < missing.length; from += claims) {
      int[] part =
          java.util.Arrays.copyOfRange(missing, from, Math.min(missing.length, from + claims));
      if (!takeSlots(part.length)) {
        return false;
      }
      filter(part, true, walk, plan, chunk);
    }
    return true;
  }

  /**
   * Asks where these are. Without claims, returns those that are not in the cache; with claims,
   * fetches what falls to this job, and gives back the slots of the others.
   */
  private int[] filter(int[] members, boolean claim, Walk walk, DatasetPlan plan, int chunk) {
    Lookup lookup = cache.lookup(IntStream.of(members).mapToObj(digest::hash).toList(), claim);
    IntStream.Builder missing = IntStream.builder();
    for (int i = 0; i < members.length; i++) {
      int item = members[i];
      AskStatus status = lookup == null ? AskStatus.MISS : lookup.status(i);
      boolean troubled = lookup == null || !lookup.failures().isEmpty();
      if (!claim && status != AskStatus.HIT && !walk.refused.contains(item)) {
        missing.add(item);
      } else if (claim && (status == AskStatus.YOURS || (status == AskStatus.MISS && !troubled))) {
        fetch(item, plan, chunk, walk);
      } else if (claim) {
        walk.elsewhere += status == AskStatus.HIT ? 0 : 1;
        slots.release();
      }
    }
    return missing.build().toArray();
  }

  private void fetch(int item, DatasetPlan plan, int chunk, Walk walk) {
    Thread.ofVirtual()
        .name("quiver-loader-preload-fetch")
        .start(() ->
            fetches.preload(
                item,
                plan.space(chunk),
                tally,
                end -> {
                  if (end != Fetches.End.HERE) {
                    (end == Fetches.End.REFUSED ? walk.refused : walk.failed).add(item);
                  }
                  slots.release();
                }));
  }

  private boolean takeSlots(int count) {
    try {
      return slots.tryAcquire(count, LONGEST_FETCH_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean awaitFetches() {
    if (!takeSlots(window)) {
      return false;
    }
    slots.release(window);
    return true;
  }

  private void planned(JobPlan plan) {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void nap(long nanos, boolean untilNews) {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && left > 0 && !(untilNews && next().isPresent())) {
        left = changed.awaitNanos(left);
      }
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
