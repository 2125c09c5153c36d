package io.quiver.store.ssd;

import io.quiver.core.space.SpaceId;
import io.quiver.store.SpaceUsage;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * One space of this store: what it is charged for and where it appends. Who inserts into it holds
 * the lifecycle's read lock; who drops it holds the write lock and leaves it dead.
 */
final class Space {
  private final SpaceId id;
  private final ReentrantReadWriteLock lifecycle = new ReentrantReadWriteLock();
  private final AtomicLong charged = new AtomicLong();
  private final AtomicLong blobs = new AtomicLong();
  private final Map<StoreDirectory, Segment> appending = new HashMap<>();
  private volatile long limit = Long.MAX_VALUE;
  private boolean dead;

  Space(SpaceId id) {
    this.id = id;
  }

  SpaceId id() {
    return id;
  }

  ReentrantReadWriteLock lifecycle() {
    return lifecycle;
  }

  /** Whether it was dropped; asked under the lifecycle's lock. */
  boolean isDead() {
    return dead;
  }

  void die() {
    dead = true;
  }

  /** Sets the bound; returns the space. */
  Space limit(long bytes) {
    limit = bytes;
    return this;
  }

  /** Charges a new record, unless that goes past the limit. */
  boolean tryCharge(long bytes) {
    while (true) {
      long now = charged.get();
      if (now + bytes > limit) {
        return false;
      }
      if (charged.compareAndSet(now, now + bytes)) {
        return true;
      }
    }
  }

  /** Charges what cannot be refused, or discharges. */
  void charge(long bytes) {
    charged.addAndGet(bytes);
  }

  void countBlobs(long more) {
    blobs.addAndGet(more);
  }

  synchronized @Nullable Segment appending(StoreDirectory directory) {
    return appending.get(directory);
  }

  synchronized void appendTo(Segment segment) {
    appending.put(segment.directory(), segment);
  }

  SpaceUsage usage() {
    return new SpaceUsage(id, limit, charged.get(), blobs.get());
  }

  boolean isWorthShowing() {
    return blobs.get() > 0 || charged.get() > 0 || limit != Long.MAX_VALUE;
  }
}
