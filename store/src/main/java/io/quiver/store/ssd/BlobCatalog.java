package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.ssd.Appender.Appended;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records for each blob its location, its owners and the space that pays for it. Every change
 * happens here or in {@link Mover}, under the blob's lock and inside an epoch.
 */
final class BlobCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(BlobCatalog.class);
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).asReadOnlyBuffer();

  private final StoreState state;
  private final Appender appender;

  BlobCatalog(StoreState state, Appender appender) {
    this.state = state;
    this.appender = appender;
  }

  /** The outcome of an insert, or the directory that must be collected first. */
  record Insert(PutOutcome outcome, @Nullable StoreDirectory full) {
    static Insert of(PutOutcome outcome) {
      return new Insert(outcome, null);
    }
  }

  /** Inserts a blob whose bytes are known to be right, or makes the space one of its owners. */
  Insert insert(StoredSpace space, RecordHeader header, ByteBuffer content) {
    Lock lock = state.lockOf(header.hash());
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(header.hash(), probe) != 0) {
        Match match = check(header.hash(), probe);
        if (match == Match.ANOTHER || match == Match.UNREADABLE) {
          return Insert.of(match == Match.ANOTHER ? PutOutcome.NO_ROOM : PutOutcome.DISK_FAILURE);
        }
        if (match == Match.DAMAGED) {
          forgetDamaged(header.hash(), probe);
        } else {
          @Nullable Insert shared = addOwner(space, header, probe);
          if (shared != null) {
            return shared;
          }
        }
      }
      return addBlob(space, header, content);
    } finally {
      lock.unlock();
    }
  }

  private Insert addBlob(StoredSpace space, RecordHeader header, ByteBuffer content) {
    long bytes = header.recordBytes();
    if (!space.tryCharge(bytes)) {
      return Insert.of(PutOutcome.NO_ROOM);
    }
    Appended appended =
        appender.insert(
            space,
            header,
            content,
            location -> {
              int epoch = state.segments.of(location).epoch();
              state.index.insert(header.hash(), epoch, location);
              space.countBlobs(1);
            });
    if (!(appended instanceof Appended.At)) {
      space.charge(-bytes);
    }
    return result(appended, PutOutcome.STORED);
  }

  /** Makes a space an owner of a stored blob, unless the quota or the disk is full. */
  void addOwner(StoredSpace space, RecordHeader header) {
    Index.Probe probe = new Index.Probe();
    if (state.index.find(header.hash(), probe) != 0) {
      @Nullable Insert _ = addOwner(space, header, probe);
    }
  }

  /**
   * Adds an owner; returns null if the blob vanished with its space, because dropping a space takes
   * no blob locks.
   */
  private @Nullable Insert addOwner(StoredSpace space, RecordHeader header, Index.Probe probe) {
    StoredSpace home = state.segments.of(probe.location).space();
    BlobOwners.Shared shared = probe.shared() ? state.owners.find(header.hash()) : null;
    boolean isHome = home == space;
    if (shared == null ? isHome : shared.references.containsKey(space.id())) {
      return Insert.of(PutOutcome.ALREADY_HERE);
    }
    if (isHome) {
      takeBack(home, shared, probe.location);
      return Insert.of(PutOutcome.ALREADY_HERE);
    }
    // Marked before anything is written: what is shared does not go with its space.
    if (!markShared(header.hash(), probe)) {
      return null;
    }
    RecordHeader reference =
        RecordHeader.reference(header.length(), header.crc32c(), header.hash());
    Appended appended =
        appender.insert(space, reference, NOTHING, at -> refer(header.hash(), home, space, at));
    if (!(appended instanceof Appended.At) && shared == null) {
      state.index.replace(header.hash(), probe.location, probe.verified(), probe.location);
    }
    return result(appended, PutOutcome.ALREADY_HERE);
  }

  private boolean markShared(ContentHash hash, Index.Probe probe) {
    return state.index.replace(hash, probe.location, probe.marks | Index.SHARED, probe.location);
  }

  /** Records a reference found at start, when nobody else is at work. */
  void refer(ContentHash hash, StoredSpace home, StoredSpace space, Index.Probe probe, long at) {
    if (markShared(hash, probe)) {
      refer(hash, home, space, at);
    }
  }

  private void refer(ContentHash hash, StoredSpace home, StoredSpace space, long at) {
    BlobOwners.Shared shared = state.owners.of(hash, home);
    shared.references.put(space.id(), new BlobOwners.Reference(space, at));
    shared.involve(hash, space);
    space.charge(RecordHeader.BYTES);
    space.countBlobs(1);
  }

  /** Makes the space that stores the bytes an owner again. */
  private void takeBack(StoredSpace home, BlobOwners.@Nullable Shared shared, long location) {
    if (shared == null || shared.homeOwns) {
      return;
    }
    shared.homeOwns = true;
    pay(shared, home, location);
    home.countBlobs(1);
    mark(location, RecordHeader.LIVE);
  }

  private static Insert result(Appended appended, PutOutcome done) {
    return switch (appended) {
      case Appended.At at -> Insert.of(done);
      case Appended.Full full -> new Insert(PutOutcome.NO_ROOM, full.directory());
      case Appended.CapacityReached none -> Insert.of(PutOutcome.NO_ROOM);
      case Appended.Failed failed -> Insert.of(PutOutcome.DISK_FAILURE);
    };
  }

  /** Removes a blob from a space; returns false if the blob was not in it. */
  boolean evict(ContentHash hash, SpaceId space) {
    Lock lock = state.lockOf(hash);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(hash, probe) == 0 || check(hash, probe) == Match.ANOTHER) {
        return false;
      }
      StoredSpace home = state.segments.of(probe.location).space();
      BlobOwners.Shared shared = probe.shared() ? state.owners.find(hash) : null;
      if (shared == null) {
        return home.id().equals(space) && forget(hash, home, probe.location);
      }
      return evictShared(hash, space, home, shared, probe);
    } finally {
      lock.unlock();
    }
  }

  /** Tells the listeners of all owners of a shared blob that it was read. */
  void touchOwners(ContentHash hash) {
    Lock lock = state.lockOf(hash);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(hash, probe) == 0) {
        return;
      }
      BlobOwners.Shared shared = probe.shared() ? state.owners.find(hash) : null;
      if (shared == null || shared.homeOwns) {
        state.segments.of(probe.location).space().touched(hash.fingerprint());
      }
      if (shared != null) {
        shared.references.values().forEach(each -> each.space().touched(hash.fingerprint()));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes a blob out of a space by its fingerprint; false when it was not there. */
  boolean evict(long fingerprint, SpaceId space) {
    Index.Probe probe = new Index.Probe();
    if (state.index.find(fingerprint, probe) == 0) {
      return false;
    }
    try {
      RecordHeader header =
          state.segments.of(probe.location).header(Location.offset(probe.location));
      return header != null && evict(header.hash(), space);
    } catch (IOException e) {
      state.counters.failures.increment();
      return false;
    }
  }

  private boolean evictShared(
      ContentHash hash,
      SpaceId space,
      StoredSpace home,
      BlobOwners.Shared shared,
      Index.Probe probe) {
    BlobOwners.Reference reference = shared.references.remove(space);
    if (reference != null) {
      dropReference(reference);
    } else if (shared.homeOwns && home.id().equals(space)) {
      shared.homeOwns = false;
      home.countBlobs(-1);
      mark(probe.location, RecordHeader.DISOWNED);
    } else {
      return false;
    }
    settle(hash, home, shared, probe);
    return true;
  }

  /** Chooses a new payer among the remaining owners, or removes the blob if there is none. */
  void settle(ContentHash hash, StoredSpace home, BlobOwners.Shared shared, Index.Probe probe) {
    if (shared.references.isEmpty()) {
      state.owners.remove(hash);
      if (shared.homeOwns) {
        pay(shared, home, probe.location);
        state.index.replace(hash, probe.location, probe.verified(), probe.location);
      } else {
        shared.payer.charge(-Location.recordBytes(probe.location));
        discard(hash, probe.location);
      }
    } else {
      StoredSpace next = shared.homeOwns ? home : shared.references.firstEntry().getValue().space();
      pay(shared, next, probe.location);
    }
  }

  private static void pay(BlobOwners.Shared shared, StoredSpace payer, long location) {
    long bytes = Location.recordBytes(location);
    shared.payer.charge(-bytes);
    payer.charge(bytes);
    shared.payer = payer;
  }

  /** Makes a reference record garbage. */
  void dropReference(BlobOwners.Reference reference) {
    reference.space().charge(-RecordHeader.BYTES);
    reference.space().countBlobs(-1);
    state.segments.of(reference.location()).addLive(-RecordHeader.BYTES);
    mark(reference.location(), RecordHeader.EVICTED);
  }

  /** Removes a blob that only its home space owns. */
  private boolean forget(ContentHash hash, StoredSpace home, long location) {
    if (!discard(hash, location)) {
      return false;
    }
    home.charge(-Location.recordBytes(location));
    home.countBlobs(-1);
    return true;
  }

  private boolean discard(ContentHash hash, long location) {
    if (!state.index.remove(hash, location)) {
      return false;
    }
    state.segments.of(location).addLive(-Location.recordBytes(location));
    mark(location, RecordHeader.EVICTED);
    return true;
  }

  /** Drops a blob whose bytes were found damaged, if it still lies there. */
  void dropDamaged(ContentHash hash, long location) {
    Lock lock = state.lockOf(hash);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(hash, probe) == location) {
        forgetDamaged(hash, probe);
      }
    } finally {
      lock.unlock();
    }
  }

  private void forgetDamaged(ContentHash hash, Index.Probe probe) {
    Segment segment = state.segments.of(probe.location);
    LOG.warn("blob {} in {} is damaged and was dropped", hash, segment.file().path().getFileName());
    state.counters.corruptBlobs.increment();
    BlobOwners.Shared shared = probe.shared() ? state.owners.find(hash) : null;
    if (shared == null) {
      forget(hash, segment.space(), probe.location);
      return;
    }
    forgetAllOwners(hash, segment.space(), shared, probe);
  }

  /** Removes a blob from every space. */
  void forgetAllOwners(
      ContentHash hash, StoredSpace home, BlobOwners.Shared shared, Index.Probe probe) {
    shared.references.values().forEach(this::dropReference);
    shared.references.clear();
    if (shared.homeOwns) {
      home.countBlobs(-1);
    }
    shared.homeOwns = false;
    settle(hash, home, shared, probe);
  }

  void mark(long location, byte mark) {
    try {
      state.segments.of(location).mark(Location.offset(location), mark);
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("a record could not be marked; it may come back at the next start", e);
    }
  }

  private enum Match {
    RIGHT,
    ANOTHER,
    DAMAGED,
    UNREADABLE
  }

  /**
   * Compares the whole hash with the record's header, because the index holds only a part of it.
   */
  private Match check(ContentHash hash, Index.Probe probe) {
    try {
      Segment segment = state.segments.of(probe.location);
      RecordHeader header = segment.header(Location.offset(probe.location));
      if (header == null) {
        return Match.DAMAGED;
      }
      return header.hash().equals(hash) ? Match.RIGHT : Match.ANOTHER;
    } catch (IOException e) {
      state.counters.failures.increment();
      return Match.UNREADABLE;
    }
  }
}
