package io.quiver.server.keep;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import io.quiver.store.PutOutcome;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

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

  KeptSpace(BlobStore store, SpaceId name, KeeperKind kind, long quotaBytes) {
    this.store = store;
    this.name = name;
    this.kind = kind;
    this.keeper = kind.keeper(quotaBytes);
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
    } finally {
      lock.unlock();
    }
  }

  Keeper.Report report() {
    lock.lock();
    try {
      drain();
      return keeper.report();
    } finally {
      lock.unlock();
    }
  }
}
