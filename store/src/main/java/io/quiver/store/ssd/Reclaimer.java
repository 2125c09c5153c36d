package io.quiver.store.ssd;

import io.quiver.core.space.SpaceId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees disk space: rewrites segments with much garbage when an insert needs space, and unlinks the
 * segments of a dropped space. It handles one segment at a time; readers never wait for it, inserts
 * only while their directory is full.
 */
final class Reclaimer {
  private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);
  private static final int MAX_SEGMENTS_AT_ONCE = 64;
  private static final int MAX_ROUNDS = 64;
  private static final int MAX_LOOKS = 1000;

  /** The most segments a move may have to open: one for each space it moves blobs to. */
  private static final long NEW_SEGMENTS = 16;

  private static final long LOCK_SECONDS = 10;

  /** The time an insert waits for readers: better a refusal than a stalled writer. */
  private static final long READERS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The time a drop waits for readers; a blob it cannot move is lost to its other owners. */
  private static final long DROP_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final StoreState state;
  private final BlobCatalog catalog;
  private final Mover mover;
  private final ReentrantLock collecting = new ReentrantLock();

  Reclaimer(StoreState state, BlobCatalog catalog, Mover mover) {
    this.state = state;
    this.catalog = catalog;
    this.mover = mover;
  }

  /**
   * Frees space for an insert; returns false if that is impossible.
   *
   * <p>The caller holds no lock and no epoch. Collected space comes back when readers release it.
   * Any space that comes back ends the wait: others may take it, and it may be too little for the
   * insert and yet enough to move the next segment.
   */
  boolean freeBytesFor(StoreDirectory directory, long bytes) {
    try {
      long left = READERS_NANOS;
      for (int round = 0; round < MAX_ROUNDS && left > 0; round++) {
        long seen = directory.departures();
        if (collectAlone(directory, bytes)) {
          return true;
        }
        left = directory.awaitDeparture(seen, left);
      }
      return directory.hasFree(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean collectAlone(StoreDirectory directory, long bytes) throws InterruptedException {
    if (!collecting.tryLock(LOCK_SECONDS, TimeUnit.SECONDS)) {
      return false;
    }
    try {
      return collect(directory, bytes);
    } finally {
      collecting.unlock();
    }
  }

  /** Collects until enough space is or will be free; returns true if it is free now. */
  private boolean collect(StoreDirectory directory, long bytes) {
    Set<Segment> tried = new HashSet<>();
    while (tried.size() < MAX_SEGMENTS_AT_ONCE && !directory.willHaveFree(bytes)) {
      Optional<Segment> victim = victim(directory, tried);
      if (victim.isEmpty()) {
        break;
      }
      tried.add(victim.get());
      compact(victim.get());
    }
    return directory.hasFree(bytes);
  }

  /** Returns the segment with the largest share of garbage whose live records can be moved. */
  private Optional<Segment> victim(StoreDirectory directory, Set<Segment> tried) {
    long free = directory.bytesForMoves() - 2L * SegmentHeader.BYTES;
    return state.segments.all().stream()
        .filter(segment -> segment.directory() == directory && !segment.isLeaving())
        .filter(segment -> !tried.contains(segment))
        .filter(segment -> segment.garbage() > 0 && segment.live() <= Math.max(free, 0))
        .max(Comparator.comparingDouble(s -> (double) s.garbage() / s.tail()));
  }

  private void compact(Segment segment) {
    if (!segment.seal()) {
      return;
    }
    Epochs.Epoch epoch = state.epochs.enter();
    try {
      if (segment.live() > 0 && !carryOver(segment)) {
        return;
      }
      if (segment.live() > 0) {
        forget(Set.of(segment));
      }
      retire(segment);
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("{} could not be collected", segment.file().path(), e);
    } finally {
      state.epochs.leave(epoch);
    }
  }

  private boolean carryOver(Segment segment) throws IOException {
    try (SegmentScanner scanner =
        new SegmentScanner(segment.file(), segment.nonce(), segment.tail())) {
      while (scanner.next()) {
        boolean dead = scanner.header().state() == RecordHeader.EVICTED;
        if (!dead && !mover.move(segment, scanner.offset(), scanner.header())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Drops spaces in one pass; returns the bytes of files this gives back. */
  long drop(Set<SpaceId> ids) {
    collecting.lock();
    try {
      // In the order of names, so that nobody waits in a circle.
      List<StoredSpace> spaces = new ArrayList<>();
      for (SpaceId id : new TreeSet<>(ids)) {
        StoredSpace space = state.spaces.find(id);
        if (space != null) {
          spaces.add(space);
          space.lifecycle().writeLock().lock();
        }
      }
      try {
        spaces.forEach(StoredSpace::die);
        spaces.forEach(state.spaces::remove);
        return spaces.isEmpty() ? 0 : unlinkAll(spaces);
      } finally {
        spaces.forEach(space -> space.lifecycle().writeLock().unlock());
      }
    } finally {
      collecting.unlock();
    }
  }

  private long unlinkAll(List<StoredSpace> spaces) {
    Set<StoredSpace> dying = new HashSet<>(spaces);
    List<Segment> segments = new ArrayList<>(state.segments.all());
    segments.removeIf(segment -> !dying.contains(segment.space()) || segment.isLeaving());
    segments.forEach(Segment::seal);
    giveUpIn(new HashSet<>(segments));
    // One after the other: the bytes one gives back are what the next is moved into.
    segments.sort(Comparator.comparingLong(Segment::live));
    long freed = 0;
    for (Segment segment : segments) {
      if (segment.live() > 0) {
        awaitBytesToMove(segment);
      }
      Epochs.Epoch epoch = state.epochs.enter();
      try {
        freed += segment.tail() - (segment.live() > 0 ? moveShared(segment) : 0);
        if (segment.live() > 0) {
          forget(Set.of(segment));
        }
        retire(segment);
      } finally {
        state.epochs.leave(epoch);
      }
    }
    return Math.max(freed, 0);
  }

  /** Removes what only dropped spaces own, and their references to blobs of others. */
  private void giveUpIn(Set<Segment> doomed) {
    Epochs.Epoch epoch = state.epochs.enter();
    try {
      state.index.removeUnshared(
          (location, marks) -> doomed.contains(state.segments.of(location)), this::discharge);
      // Who was about to share one has entered it as an owner, or given up. From here on, what is
      // left in them is shared and known to be, and nobody can begin to share more of it.
      state.awaitBlobLocks();
      state.references.forEach((fingerprint, reference) -> {
        if (doomed.contains(state.segments.of(reference))) {
          locked(fingerprint, probe -> giveUp(fingerprint, reference, probe));
        }
      });
    } finally {
      state.epochs.leave(epoch);
    }
  }

  private void giveUp(long fingerprint, long reference, Index.Probe probe) {
    StoredSpace payer = catalog.payer(fingerprint, probe);
    catalog.dropReference(fingerprint, reference);
    catalog.settle(fingerprint, probe, payer);
  }

  /** Runs an action under the lock of a blob that is in the store. */
  private void locked(long fingerprint, Consumer<Index.Probe> action) {
    Lock lock = state.lockOf(fingerprint);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(fingerprint, probe) != 0) {
        action.accept(probe);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until readers release space for moves; the caller is in no epoch. */
  private static void awaitBytesToMove(Segment segment) {
    long bytes = segment.live() + NEW_SEGMENTS * SegmentHeader.BYTES;
    try {
      if (!segment.directory().awaitBytesForMoves(bytes, DROP_NANOS)) {
        LOG.debug("{} may lack {} bytes", segment.directory().path(), bytes);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void discharge(long location) {
    Segment segment = state.segments.of(location);
    segment.addLive(-Location.recordBytes(location));
    segment.space().charge(-Location.recordBytes(location));
    segment.space().countBlobs(-1);
  }

  /** Moves blobs that other spaces own out of a dropped segment; returns the bytes moved. */
  private long moveShared(Segment segment) {
    long[] moved = {0};
    try (SegmentScanner scanner =
        new SegmentScanner(segment.file(), segment.nonce(), segment.tail())) {
      while (scanner.next()) {
        RecordHeader header = scanner.header();
        long location = Location.of(segment.id(), scanner.offset(), header);
        locked(
            header.hash().fingerprint(),
            probe -> moved[0] += probe.location == location ? moveShared(header, probe) : 0);
      }
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("{} could not be read; blobs in it are lost", segment.file().path(), e);
    }
    return moved[0];
  }

  private long moveShared(RecordHeader header, Index.Probe probe) {
    long fingerprint = header.hash().fingerprint();
    if (mover.target(fingerprint, probe) == null) {
      catalog.forgetAllOwners(fingerprint, probe);
      return 0;
    }
    if (mover.moveData(header.hash(), probe)) {
      return header.recordBytes();
    }
    state.counters.failures.increment();
    LOG.warn("a blob that other spaces own was lost: too little disk space to move it");
    catalog.forgetAllOwners(fingerprint, probe);
    return 0;
  }

  /** Frees space at start when the capacity is smaller than before: the oldest segments go. */
  void shrink(StoreDirectory directory) {
    List<Segment> oldest = new ArrayList<>(state.segments.all());
    oldest.removeIf(segment -> segment.directory() != directory);
    oldest.sort(Comparator.comparingLong(segment -> SegmentFiles.number(segment.file().path())));
    Set<Segment> gone = new HashSet<>();
    long excess = directory.excess();
    for (int i = 0; excess > 0 && i < oldest.size(); i++) {
      LOG.warn("{} is dropped: the capacity is smaller now", oldest.get(i).file().path());
      oldest.get(i).seal();
      gone.add(oldest.get(i));
      excess -= oldest.get(i).tail();
    }
    Epochs.Epoch epoch = state.epochs.enter();
    try {
      forget(gone);
      gone.forEach(this::retire);
    } finally {
      state.epochs.leave(epoch);
    }
  }

  /**
   * Removes every blob that still lies in these segments. Blobs become shared and unshared
   * meanwhile and may slip between the two scans. An eviction removes a blob from the index before
   * it discounts the bytes. So this method waits for evictions and scans until nothing is left.
   */
  private void forget(Set<Segment> segments) {
    for (int look = 0; look < MAX_LOOKS && isAnyAlive(segments); look++) {
      forgetWhatIsThere(segments);
      state.awaitBlobLocks();
    }
    if (isAnyAlive(segments)) {
      state.counters.failures.increment();
      LOG.warn("segments go although blobs in them are still in use; they will be misses");
    }
  }

  private static boolean isAnyAlive(Set<Segment> segments) {
    return segments.stream().anyMatch(segment -> segment.live() > 0);
  }

  private void forgetWhatIsThere(Set<Segment> segments) {
    state.index.removeUnshared(
        (location, marks) -> segments.contains(state.segments.of(location)), this::discharge);
    state.references.forEach((fingerprint, reference) ->
        locked(
            fingerprint,
            probe -> {
              if (segments.contains(state.segments.of(probe.location))) {
                catalog.forgetAllOwners(fingerprint, probe);
              } else if (segments.contains(state.segments.of(reference))) {
                giveUp(fingerprint, reference, probe);
              }
            }));
  }

  /** Unlinks a segment's file now and releases its bytes when the last reader has left. */
  private void retire(Segment segment) {
    segment.leave();
    boolean unlinked = unlink(segment);
    long bytes = segment.tail();
    if (unlinked) {
      segment.directory().leaving(bytes);
    }
    Runnable release =
        () -> {
          segment.close();
          state.segments.release(segment);
          if (unlinked) {
            segment.directory().left(bytes);
          }
        };
    state.epochs.retire(() -> segment.retire(release));
  }

  private boolean unlink(Segment segment) {
    try {
      segment.file().unlink();
      segment.directory().removeIfEmpty(segment.space().id());
      return true;
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("{} could not be deleted and keeps its disk space", segment.file().path(), e);
      return false;
    }
  }
}
