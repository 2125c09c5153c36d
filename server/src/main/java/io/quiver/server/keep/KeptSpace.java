package io.quiver.server.keep;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
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
  private final ReentrantLock lock = new ReentrantLock();
  private final ReadBuffer reads = new ReadBuffer();
  private volatile Keeper.Report latest;

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

  /** Inserts a blob if the keeper admits it. */
  PutOutcome put(ContentHash hash, ByteBuffer content) {
    long key = hash.fingerprint();
    long bytes = content.remaining();
    boolean[] admitted = {false};
    boolean here = false;
    try {
      PutOutcome outcome = store.put(hash, name, content, () -> admitted[0] = admit(key, bytes));
      here = outcome == PutOutcome.STORED || outcome == PutOutcome.ALREADY_HERE;
      return outcome;
    } finally {
      if (admitted[0]) {
        settle(key, here);
      }
    }
  }

  private boolean admit(long key, long bytes) {
    lock.lock();
    try {
      drain();
      return keeper.offer(key, bytes, Ranked.UNKNOWN, this::evict);
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

  /** Changes the quota and evicts now what exceeds it. */
  void resize(long quotaBytes) {
    lock.lock();
    try {
      drain();
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
