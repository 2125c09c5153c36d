package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
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
    Epochs.Epoch epoch = state.epochs.enter();
    long freed = 0;
    try {
      Set<StoredSpace> dying = new HashSet<>(spaces);
      List<Segment> segments = new ArrayList<>(state.segments.all());
      segments.removeIf(segment -> !dying.contains(segment.space()) || segment.isLeaving());
      segments.forEach(Segment::seal);
      Set<Segment> doomed = new HashSet<>(segments);
      state.index.removeUnshared(
          location -> doomed.contains(state.segments.of(location)), this::discharge);
      // Who was about to share one has entered it as an owner, or given up. From here on, what is
      // left in them is shared and known to be, and nobody can begin to share more of it.
      state.awaitBlobLocks();
      Map<Segment, List<ContentHash>> shared = new HashMap<>();
      spaces.forEach(space -> collectShared(space, shared));
      // One after the other: the bytes one gives back are what the next is moved into.
      segments.sort(Comparator.comparingInt(s -> shared.getOrDefault(s, List.of()).size()));
      for (Segment segment : segments) {
        if (shared.containsKey(segment)) {
          state.epochs.leave(epoch);
          awaitBytesToMove(segment);
          epoch = state.epochs.enter();
        }
        for (ContentHash hash : shared.getOrDefault(segment, List.of())) {
          freed -= disown(hash, segment.space());
        }
        freed += segment.tail();
        if (segment.live() > 0) {
          forget(Set.of(segment));
        }
        retire(segment);
        state.epochs.leave(epoch);
        epoch = state.epochs.enter();
      }
    } finally {
      state.epochs.leave(epoch);
    }
    return Math.max(freed, 0);
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

  /** Ends the space's references, and adds the blobs of others by the segment they lie in. */
  private void collectShared(StoredSpace dying, Map<Segment, List<ContentHash>> shared) {
    Index.Probe probe = new Index.Probe();
    for (ContentHash hash : List.copyOf(dying.shares())) {
      long location = state.index.find(hash, probe);
      if (location != 0 && state.segments.of(location).space() == dying) {
        shared.computeIfAbsent(state.segments.of(location), any -> new ArrayList<>()).add(hash);
      } else {
        disown(hash, dying);
      }
    }
  }

  private void discharge(long location) {
    Segment segment = state.segments.of(location);
    segment.addLive(-Location.recordBytes(location));
    segment.space().charge(-Location.recordBytes(location));
    segment.space().countBlobs(-1);
  }

  /** Removes a dropped space from a blob's owners; returns the bytes that had to be moved. */
  private long disown(ContentHash hash, StoredSpace dying) {
    Lock lock = state.lockOf(hash);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      BlobOwners.Shared shared = state.owners.find(hash);
      if (shared == null || state.index.find(hash, probe) == 0) {
        return 0;
      }
      Segment segment = state.segments.of(probe.location);
      BlobOwners.Reference reference = shared.references.get(dying.id());
      if (reference != null && reference.space() == dying) {
        shared.references.remove(dying.id());
        catalog.dropReference(reference);
        catalog.settle(hash, segment.space(), shared, probe);
        return 0;
      }
      if (segment.space() != dying) {
        return 0;
      }
      if (Mover.target(dying, shared) == null) {
        catalog.forgetAllOwners(hash, dying, shared, probe);
        return 0;
      }
      if (mover.moveData(hash, segment.id(), -1)) {
        return Location.recordBytes(probe.location);
      }
      state.counters.failures.increment();
      LOG.warn(
          "a blob other spaces own was lost with {}: too little disk space to move it", dying.id());
      catalog.forgetAllOwners(hash, segment.space(), shared, probe);
      return 0;
    } finally {
      lock.unlock();
    }
  }

  /** Frees space at start when the capacity is smaller than before: the oldest segments go. */
  void shrink(StoreDirectory directory) {
    while (directory.isOverfull()) {
      Optional<Segment> oldest =
          state.segments.all().stream()
              .filter(segment -> segment.directory() == directory && !segment.isLeaving())
              .min(Comparator.comparingLong(segment -> SegmentFiles.number(segment.file().path())));
      if (oldest.isEmpty()) {
        return;
      }
      LOG.warn("{} is dropped: the capacity is smaller now", oldest.get().file().path());
      Epochs.Epoch epoch = state.epochs.enter();
      try {
        oldest.get().seal();
        forget(Set.of(oldest.get()));
        retire(oldest.get());
      } finally {
        state.epochs.leave(epoch);
      }
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
        location -> segments.contains(state.segments.of(location)), this::discharge);
    Set<ContentHash> shares = new HashSet<>();
    segments.forEach(segment -> shares.addAll(segment.space().shares()));
    for (ContentHash hash : shares) {
      Lock lock = state.lockOf(hash);
      lock.lock();
      try {
        BlobOwners.Shared shared = state.owners.find(hash);
        Index.Probe probe = new Index.Probe();
        if (shared != null && state.index.find(hash, probe) != 0) {
          forget(hash, shared, probe, segments);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void forget(
      ContentHash hash, BlobOwners.Shared shared, Index.Probe probe, Set<Segment> segments) {
    Segment segment = state.segments.of(probe.location);
    if (segments.contains(segment)) {
      catalog.forgetAllOwners(hash, segment.space(), shared, probe);
      return;
    }
    List<BlobOwners.Reference> gone = new ArrayList<>(shared.references.values());
    gone.removeIf(reference -> !segments.contains(state.segments.of(reference.location())));
    for (BlobOwners.Reference reference : gone) {
      shared.references.remove(reference.space().id());
      catalog.dropReference(reference);
    }
    if (!gone.isEmpty()) {
      catalog.settle(hash, segment.space(), shared, probe);
    }
  }

  /** Unlinks a segment's file now and releases its bytes when the last reader has left. */
  private void retire(Segment segment) {
    segment.leave();
    boolean unlinked = unlink(segment);
    long bytes = segment.tail();
    if (unlinked) {
      segment.directory().leaving(bytes);
    }
    state.epochs.retire(() -> {
      segment.file().close();
      state.segments.release(segment);
      if (unlinked) {
        segment.directory().left(bytes);
      }
    });
  }

  private boolean unlink(Segment segment) {
    try {
      segment.file().unlink();
      return true;
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("{} could not be deleted and keeps its disk space", segment.file().path(), e);
      return false;
    }
  }
}
