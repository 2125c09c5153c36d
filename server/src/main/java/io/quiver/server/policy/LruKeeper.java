package io.quiver.server.policy;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.recency.LeastRecentlyUsed;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import io.quiver.store.PutOutcome;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps one space below its quota by evicting what was used least recently.
 *
 * <p>The bookkeeping changes under a lock; the store hashes and writes outside it. Whatever the
 * space holds is either booked as an entry or reserved, so racing inserts of one blob may book too
 * much for a while, never too little.
 */
final class LruKeeper {
  private final BlobStore store;
  private final SpaceId space;
  private final LeastRecentlyUsed<ContentHash> order;
  private final ReentrantLock lock = new ReentrantLock();

  LruKeeper(BlobStore store, LruSpace policy) {
    this.store = store;
    this.space = policy.space();
    this.order = new LeastRecentlyUsed<>(policy.quotaBytes(), policy.maxBlobs());
  }

  void touch(ContentHash hash) {
    lock.lock();
    try {
      order.touch(hash);
    } finally {
      lock.unlock();
    }
  }

  PutOutcome put(ContentHash hash, ByteBuffer content) {
    long bytes = content.remaining();
    Optional<PutOutcome> again = putAgain(hash, content);
    if (again.isPresent()) {
      return again.get();
    }
    if (!reserve(bytes)) {
      return PutOutcome.NO_ROOM;
    }
    boolean here = false;
    try {
      PutOutcome outcome = store.put(hash, space, content);
      here = outcome == PutOutcome.STORED || outcome == PutOutcome.ALREADY_HERE;
      return outcome;
    } finally {
      settle(hash, bytes, here);
    }
  }

  /** A blob that is booked needs no room. The lock keeps it booked until the store has it. */
  private Optional<PutOutcome> putAgain(ContentHash hash, ByteBuffer content) {
    lock.lock();
    try {
      return order.touch(hash) ? Optional.of(store.put(hash, space, content)) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private boolean reserve(long bytes) {
    lock.lock();
    try {
      Optional<List<ContentHash>> victims = order.reserve(bytes);
      victims.ifPresent(all -> all.forEach(victim -> store.evict(victim, space)));
      return victims.isPresent();
    } finally {
      lock.unlock();
    }
  }

  private void settle(ContentHash hash, long bytes, boolean here) {
    lock.lock();
    try {
      if (here) {
        order.keep(hash, bytes);
      } else {
        order.release(bytes);
      }
    } finally {
      lock.unlock();
    }
  }

  boolean evict(ContentHash hash) {
    lock.lock();
    try {
      order.forget(hash);
      return store.evict(hash, space);
    } finally {
      lock.unlock();
    }
  }

  long drop() {
    lock.lock();
    try {
      order.clear();
      return store.drop(space);
    } finally {
      lock.unlock();
    }
  }

  void limit(long bytes) {
    lock.lock();
    try {
      order.quota(bytes);
    } finally {
      lock.unlock();
    }
  }

  long quota() {
    lock.lock();
    try {
      return order.quotaBytes();
    } finally {
      lock.unlock();
    }
  }
}
