package io.quiver.server.keep;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.PriorityScales;
import io.quiver.core.keep.Ranked;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.RankedFrame;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * One space under its keeper.
 *
 * <p>The keeper decides under a lock; the store hashes and writes outside it. A blob that is being
 * written may become a victim before it is there, so whoever has written one asks the keeper again.
 */
final class KeptSpace {
  private final BlobStore store;
  private final SpaceId name;
  private final KeeperKind kind;
  private final Keeper keeper;
  private final PriorityScales scales = new PriorityScales();
  private final ReentrantLock lock = new ReentrantLock();
  private final ReadBuffer reads = new ReadBuffer();
  private volatile Keeper.Report latest;
  private volatile boolean begun;

  KeptSpace(BlobStore store, SpaceId name, KeeperKind kind, long quotaBytes) {
    this.store = store;
    this.name = name;
    this.kind = kind;
    this.keeper = kind.keeper(quotaBytes);
    this.latest = keeper.report();
  }

  KeeperKind kind() {
    return kind;
  }

  /** Keeps others from inserting until the space is seeded. */
  ReentrantLock lock() {
    return lock;
  }

  /** Notes that all blobs that were here before have been offered. */
  void begin() {
    latest = keeper.report();
    begun = true;
  }

  /** Returns true once the reports tell of programs only. */
  boolean hasBegun() {
    return begun;
  }

  /** Notes that a blob was read; never waits. */
  void read(long key) {
    if (reads.add(key) && lock.tryLock()) {
      try {
        drain();
      } finally {
        lock.unlock();
      }
    }
  }

  private void drain() {
    reads.drain(keeper::touch);
  }

  /** Offers a blob that the store has already; evicts it if it is refused. */
  void seed(long key, long bytes) {
    lock.lock();
    try {
      if (!keeper.offer(key, bytes, Ranked.UNKNOWN, this::evict)) {
        evict(key);
      }
    } finally {
      lock.unlock();
    }
  }

  private void evict(long key) {
    boolean _ = store.evict(key, name);
  }

  /**
   * Inserts a blob if the keeper admits it.
   *
   * @param priority as the job tells it
   */
  PutOutcome put(ContentHash hash, ByteBuffer content, long priority, RankingJob job) {
    return put(
        hash.fingerprint(),
        content.remaining(),
        priority,
        job,
        admit -> store.put(hash, name, content, admit));
  }

  /** Binds a name if the keeper admits it. In a ranked space names go before all that is ranked. */
  PutOutcome bind(NameBinding binding, RankingJob job) {
    return put(
        binding.name().key().fingerprint(),
        BlobStore.NAME_BYTES,
        0,
        job,
        admit -> store.bind(binding, name, admit));
  }

  private PutOutcome put(
      long key,
      long bytes,
      long priority,
      RankingJob job,
      Function<BooleanSupplier, PutOutcome> write) {
    boolean[] admitted = {false};
    boolean here = false;
    try {
      PutOutcome outcome = write.apply(() -> admitted[0] = admit(key, bytes, priority, job));
      here = outcome == PutOutcome.STORED || outcome == PutOutcome.ALREADY_HERE;
      return outcome;
    } finally {
      if (admitted[0]) {
        settle(key, here);
      }
    }
  }

  private boolean admit(long key, long bytes, long priority, RankingJob job) {
    lock.lock();
    try {
      drain();
      return keeper instanceof Ranked ranked
          ? ranked.offer(key, bytes, scales.toSpace(job, priority), scales.number(job), this::evict)
          : keeper.offer(key, bytes, Ranked.UNKNOWN, this::evict);
    } finally {
      lock.unlock();
    }
  }

  /** Makes store and keeper agree after a write: both have the blob, or neither. */
  private void settle(long key, boolean here) {
    lock.lock();
    try {
      if (!here) {
        keeper.forget(key);
      }
      if (!keeper.holds(key)) {
        evict(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notes that a job calls whose priorities follow. */
  void hear(RankingJob job) {
    if (keeper instanceof Ranked ranked) {
      lock.lock();
      try {
        scales.hear(job, ranked::release);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Changes the priorities that a job gave, if the keeper ranks. */
  Optional<RankedFrame> rank(List<RankFrame.Row> rows, RankingJob job) {
    if (!(keeper instanceof Ranked ranked)) {
      return Optional.empty();
    }
    lock.lock();
    try {
      scales.hear(job, ranked::release);
      int number = scales.number(job);
      int kept = 0;
      for (RankFrame.Row row : rows) {
        long priority = scales.toSpace(job, row.priority());
        kept += ranked.rank(row.hash().fingerprint(), priority, number) ? 1 : 0;
      }
      return Optional.of(new RankedFrame(kept, lowest(ranked, job)));
    } finally {
      lock.unlock();
    }
  }

  /** Returns the lowest priority kept in a job's scale, 0 if any blob is taken. */
  long lowest(RankingJob job) {
    if (!(keeper instanceof Ranked ranked)) {
      return 0;
    }
    lock.lock();
    try {
      return lowest(ranked, job);
    } finally {
      lock.unlock();
    }
  }

  private long lowest(Ranked ranked, RankingJob job) {
    if (!ranked.isFull()) {
      return 0;
    }
    return ranked.isEmpty() ? PriorityScales.MAX_PRIORITY : scales.fromSpace(job, ranked.lowest());
  }

  /**
   * Follows the latest order: gives back the priorities of jobs that it does not name, and evicts
   * what exceeds the quota.
   *
   * @param quotaBytes the share of the ordered quota that the disk can take
   */
  void follow(SpaceOrder order, long quotaBytes) {
    lock.lock();
    try {
      drain();
      if (keeper instanceof Ranked ranked) {
        scales.keepOnly(order.jobs(), ranked::release);
      }
      keeper.resize(quotaBytes, this::evict);
      latest = keeper.report();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the keeper's report, or the one before while somebody else uses the keeper. */
  Keeper.Report report() {
    if (lock.tryLock()) {
      try {
        drain();
        latest = keeper.report();
      } finally {
        lock.unlock();
      }
    }
    return latest;
  }

  /**
   * Keys that were read, on their way to a keeper. Any thread adds without waiting; one at a time
   * drains. Bounded and lossy: when nobody drains in time, the oldest are overwritten, which costs
   * a keeper some precision and a reader nothing.
   */
  private static final class ReadBuffer {
    private static final int SLOTS = 1 << 12;
    private static final int MASK = SLOTS - 1;

    private final AtomicLongArray slots = new AtomicLongArray(SLOTS); // 0 is empty
    private final AtomicInteger added = new AtomicInteger();
    private volatile int drained;

    /** Adds a key; returns true if it is time to drain. */
    boolean add(long key) {
      int place = added.getAndIncrement();
      slots.setOpaque(place & MASK, key);
      return place - drained >= SLOTS / 2;
    }

    /** Hands over what was added, oldest first; for one caller at a time. */
    void drain(LongConsumer keys) {
      int end = added.get();
      int place = end - drained > SLOTS ? end - SLOTS : drained;
      for (; place != end; place++) {
        long key = slots.getAndSet(place & MASK, 0);
        if (key != 0) {
          keys.accept(key);
        }
      }
      drained = end;
    }
  }
}
