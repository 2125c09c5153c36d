package io.quiver.store.ssd;

import io.quiver.store.StoreUsage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Holds the state that the parts of one store share.
 *
 * <p>Locks are taken in this order: the reclaimer's, a space's lifecycle, a blob's, and inside
 * those the short ones of segments, directories and index parts. A thread that changes the record
 * of a blob holds the blob's lock; readers hold none.
 */
final class StoreState {
  private static final int BLOB_LOCKS = 1024;

  final SsdStoreConfig config;
  final LongSupplier nanoTime;
  final List<StoreDirectory> directories;
  final SegmentFile.Opener opener;
  final Epochs epochs = new Epochs();
  final Index index = new Index(epochs);
  final SegmentTable segments = new SegmentTable();
  final StoredSpaces spaces = new StoredSpaces();
  final References references = new References();
  final StoreCounters counters = new StoreCounters();
  private final ReentrantLock[] blobLocks = new ReentrantLock[BLOB_LOCKS];

  StoreState(
      SsdStoreConfig config,
      List<StoreDirectory> directories,
      SegmentFile.Opener opener,
      LongSupplier nanoTime) {
    this.config = config;
    this.directories = List.copyOf(directories);
    this.opener = opener;
    this.nanoTime = nanoTime;
    for (int i = 0; i < BLOB_LOCKS; i++) {
      blobLocks[i] = new ReentrantLock();
    }
  }

  /** Returns the lock of a blob; shared with other blobs, so hold one at a time. */
  ReentrantLock lockOf(long fingerprint) {
    return blobLocks[(int) (fingerprint >>> 8) & (BLOB_LOCKS - 1)];
  }

  /** Returns the space that a record lies in; the caller is in an epoch. */
  StoredSpace spaceOf(long location) {
    return segments.of(location).space();
  }

  /** Waits until every current holder of a blob lock has released it; the caller holds none. */
  void awaitBlobLocks() {
    for (ReentrantLock lock : blobLocks) {
      lock.lock();
      try {
        assert lock.getHoldCount() == 1 : "a blob's lock is held";
      } finally {
        lock.unlock();
      }
    }
  }

  /** Marks the files as sealed: nobody writes to them any more. */
  void seal() {
    for (Segment segment : segments.all()) {
      if (!segment.isLeaving() && segment.isAppendable() && segment.seal()) {
        try {
          segment.markSealed(true);
        } catch (IOException e) {
          counters.failures.increment();
        }
      }
    }
  }

  /** Releases memory, and each file when the last reader of it has left; nobody looks blobs up. */
  void release() {
    for (Segment segment : segments.all()) {
      if (!segment.isLeaving()) {
        segment.retire(segment::close);
      }
    }
    index.free();
    references.free();
  }

  /** Counters of a store since its start. */
  static final class StoreCounters {
    /** Blobs served from memory. */
    final LongAdder warmReads = new LongAdder();

    /** Blobs that came from disk. */
    final LongAdder coldReads = new LongAdder();

    /** Bytes of records written. */
    final LongAdder writtenBytes = new LongAdder();

    /** Blobs found damaged and dropped. */
    final LongAdder corruptBlobs = new LongAdder();

    /** Operations a disk refused. */
    final LongAdder failures = new LongAdder();

    StoreUsage.Activity activity() {
      return new StoreUsage.Activity(
          warmReads.sum(), coldReads.sum(), writtenBytes.sum(), corruptBlobs.sum(), failures.sum());
    }
  }
}
