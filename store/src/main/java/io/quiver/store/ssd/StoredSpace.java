package io.quiver.store.ssd;

import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore.SpaceUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Represents one space of this store: its charged bytes and the segments it appends to. An insert
 * holds the lifecycle's read lock; a drop holds the write lock and leaves the space dead.
 */
final class StoredSpace {
  /**
   * The number of segments of a directory that are written at the same time. The file system lets
   * one writer at a time into a file, and others spin until they may write.
   */
  static final int MAX_OPEN_SEGMENTS = 4;

  private final SpaceId id;
  private final ReentrantReadWriteLock lifecycle = new ReentrantReadWriteLock();
  private final AtomicLong charged = new AtomicLong();
  private final AtomicLong blobs = new AtomicLong();
  private final Map<StoreDirectory, List<Segment>> appending = new HashMap<>();
  private volatile long limit = Long.MAX_VALUE;
  private volatile @Nullable LongConsumer listener;
  private volatile boolean dead;

  StoredSpace(SpaceId id) {
    this.id = id;
  }

  SpaceId id() {
    return id;
  }

  ReentrantReadWriteLock lifecycle() {
    return lifecycle;
  }

  /** Returns true if it was dropped; it stays so only for whoever holds the lifecycle's lock. */
  boolean isDead() {
    return dead;
  }

  void die() {
    dead = true;
  }

  /** Sets who is told of reads; returns the space. */
  StoredSpace listen(LongConsumer read) {
    listener = read;
    return this;
  }

  /** Tells the listener, if there is one, that a blob was read. */
  void touched(long fingerprint) {
    @Nullable LongConsumer told = listener;
    if (told != null) {
      told.accept(fingerprint);
    }
  }

  /** Sets the quota and returns the space. */
  StoredSpace limit(long bytes) {
    limit = bytes;
    return this;
  }

  /** Charges a new record, unless that exceeds the quota. */
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

  /** Charges bytes that cannot be refused, or discharges them. */
  void charge(long bytes) {
    charged.addAndGet(bytes);
  }

  void countBlobs(long more) {
    blobs.addAndGet(more);
  }

  /**
   * Returns the open segment with the fewest writers.
   *
   * @return null when there is none, or when every one is busy and another may be opened
   */
  synchronized @Nullable Segment appending(StoreDirectory directory) {
    List<Segment> open = appending.getOrDefault(directory, List.of());
    Segment calmest = open.stream().min(Comparator.comparingInt(Segment::writers)).orElse(null);
    boolean another =
        calmest != null
            && calmest.writers() > 0
            && open.size() < MAX_OPEN_SEGMENTS
            && directory.hasFree(2 * directory.segmentBytes());
    return another ? null : calmest;
  }

  /** Opens a segment for appending. */
  synchronized void appendTo(Segment segment) {
    appending.computeIfAbsent(segment.directory(), any -> new ArrayList<>()).add(segment);
  }

  /**
   * Returns the number of open segments beside this one, or a negative number if this one is not
   * open.
   */
  synchronized int openBeside(Segment segment) {
    List<Segment> open = appending.getOrDefault(segment.directory(), List.of());
    return open.contains(segment) ? open.size() - 1 : -1;
  }

  /** Stops appending to a segment. */
  synchronized void leave(Segment full) {
    appending.getOrDefault(full.directory(), List.of()).remove(full);
  }

  SpaceUsage usage() {
    return new SpaceUsage(id, limit, charged.get(), blobs.get());
  }

  boolean isWorthShowing() {
    return blobs.get() > 0 || charged.get() > 0 || limit != Long.MAX_VALUE;
  }
}
