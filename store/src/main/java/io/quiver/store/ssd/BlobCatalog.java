package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.ssd.Appender.Appended;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;
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

  /**
   * Inserts a blob whose bytes are known to be right, or makes the space one of its owners. Binds a
   * name likewise; one that was bound to something else is unbound before, in every space.
   *
   * <p>A blob outranks a name that has the same place in the index: else a door could choose names
   * that keep blobs out.
   */
  Insert insert(StoredSpace space, RecordHeader header, ByteBuffer content) {
    long fingerprint = header.hash().fingerprint();
    Lock lock = state.lockOf(fingerprint);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(fingerprint, probe) != 0) {
        @Nullable Insert present =
            switch (check(header, content, probe)) {
              case RIGHT -> addOwner(space, header, probe);
              case DAMAGED -> forgetDamaged(header.hash(), probe);
              case OUTDATED -> forgetEverywhere(fingerprint, probe);
              case ANOTHER -> Insert.of(PutOutcome.NO_ROOM);
              case UNREADABLE -> Insert.of(PutOutcome.DISK_FAILURE);
            };
        if (present != null) {
          return present;
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
    boolean stored = false;
    try {
      Appended appended =
          appender.insert(
              space,
              header,
              content,
              location -> {
                int epoch = state.segments.of(location).epoch();
                state.index.insert(header.hash().fingerprint(), epoch, location);
                space.countBlobs(1);
              });
      stored = appended instanceof Appended.At;
      return result(appended, PutOutcome.STORED);
    } finally {
      if (!stored) {
        space.charge(-bytes);
      }
    }
  }

  /** Makes a space an owner of a stored blob, unless the quota or the disk is full. */
  void addOwner(StoredSpace space, RecordHeader header) {
    Index.Probe probe = new Index.Probe();
    if (state.index.find(header.hash().fingerprint(), probe) != 0) {
      @Nullable Insert _ = addOwner(space, header, probe);
    }
  }

  /**
   * Adds an owner; returns null if the blob vanished with its space, because dropping a space takes
   * no blob locks.
   */
  private @Nullable Insert addOwner(StoredSpace space, RecordHeader header, Index.Probe probe) {
    long fingerprint = header.hash().fingerprint();
    if (state.spaceOf(probe.location) == space) {
      if (probe.disowned()) {
        takeBack(fingerprint, probe);
      }
      return Insert.of(PutOutcome.ALREADY_HERE);
    }
    if (probe.shared() && referenceOf(fingerprint, each -> each == space) != 0) {
      return Insert.of(PutOutcome.ALREADY_HERE);
    }
    // Marked before anything is written: what is shared does not go with its space.
    int marks = probe.marks;
    if (!state.index.replace(fingerprint, probe.location, marks | Index.SHARED, probe.location)) {
      return null;
    }
    boolean referred = false;
    try {
      RecordHeader reference =
          RecordHeader.reference(header.length(), header.crc32c(), header.hash());
      Appended appended =
          appender.insert(space, reference, NOTHING, at -> refer(fingerprint, probe, at));
      referred = appended instanceof Appended.At;
      return result(appended, PutOutcome.ALREADY_HERE);
    } finally {
      if (!referred) {
        state.index.replace(fingerprint, probe.location, marks, probe.location);
      }
    }
  }

  /** Adds a reference that was written. */
  private void refer(long fingerprint, Index.Probe probe, long at) {
    StoredSpace payer = payer(fingerprint, probe);
    state.references.add(fingerprint, at);
    count(at);
    settle(fingerprint, probe, payer);
  }

  /** Charges a reference to its space. */
  void count(long reference) {
    StoredSpace space = state.spaceOf(reference);
    space.charge(RecordHeader.BYTES);
    space.countBlobs(1);
  }

  /** Makes the space that stores the bytes an owner again. */
  private void takeBack(long fingerprint, Index.Probe probe) {
    StoredSpace payer = payer(fingerprint, probe);
    probe.marks &= ~Index.DISOWNED;
    state.spaceOf(probe.location).countBlobs(1);
    mark(probe.location, RecordHeader.LIVE);
    settle(fingerprint, probe, payer);
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
    long fingerprint = hash.fingerprint();
    Lock lock = state.lockOf(fingerprint);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(fingerprint, probe) == 0 || isAnother(hash, probe)) {
        return false;
      }
      StoredSpace home = state.spaceOf(probe.location);
      if (!probe.shared()) {
        return home.id().equals(space) && forget(fingerprint, home, probe.location);
      }
      StoredSpace payer = payer(fingerprint, probe);
      long reference = referenceOf(fingerprint, each -> each.id().equals(space));
      if (reference != 0) {
        dropReference(fingerprint, reference);
      } else if (!probe.disowned() && home.id().equals(space)) {
        probe.marks |= Index.DISOWNED;
        home.countBlobs(-1);
        mark(probe.location, RecordHeader.DISOWNED);
      } else {
        return false;
      }
      settle(fingerprint, probe, payer);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Tells the listeners of all owners of a shared blob that it was read. */
  void touchOwners(ContentHash hash) {
    long fingerprint = hash.fingerprint();
    Lock lock = state.lockOf(fingerprint);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(fingerprint, probe) == 0) {
        return;
      }
      if (!probe.disowned()) {
        state.spaceOf(probe.location).touched(fingerprint);
      }
      for (long reference : state.references.of(fingerprint)) {
        state.spaceOf(reference).touched(fingerprint);
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

  /** Returns the location of the reference from a space, or 0 if there is none. */
  long referenceOf(long fingerprint, Predicate<StoredSpace> owner) {
    for (long reference : state.references.of(fingerprint)) {
      if (owner.test(state.spaceOf(reference))) {
        return reference;
      }
    }
    return 0;
  }

  /**
   * Returns the space that is charged for a blob's bytes: the one they lie in if it owns the blob,
   * otherwise the first owner by name.
   */
  StoredSpace payer(long fingerprint, Index.Probe probe) {
    StoredSpace home = state.spaceOf(probe.location);
    if (!probe.disowned()) {
      return home;
    }
    return Arrays.stream(state.references.of(fingerprint))
        .mapToObj(state::spaceOf)
        .min(Comparator.comparing(StoredSpace::id))
        .orElse(home);
  }

  /**
   * Enters in the index who owns a blob after a change, and moves the charge from the payer before
   * it. Removes the blob if nobody owns it any more.
   */
  void settle(long fingerprint, Index.Probe probe, StoredSpace payer) {
    long bytes = Location.recordBytes(probe.location);
    boolean shared = state.references.of(fingerprint).length > 0;
    payer.charge(-bytes);
    if (!shared && probe.disowned()) {
      discard(fingerprint, probe.location);
      return;
    }
    payer(fingerprint, probe).charge(bytes);
    probe.marks = (probe.marks & ~Index.SHARED) | (shared ? Index.SHARED : 0);
    state.index.replace(fingerprint, probe.location, probe.marks, probe.location);
  }

  /** Makes a reference record garbage; the caller settles. */
  void dropReference(long fingerprint, long reference) {
    if (state.references.remove(fingerprint, reference)) {
      StoredSpace space = state.spaceOf(reference);
      space.charge(-RecordHeader.BYTES);
      space.countBlobs(-1);
      state.segments.of(reference).addLive(-RecordHeader.BYTES);
      if (!space.isDead()) { // otherwise its file is about to go
        mark(reference, RecordHeader.EVICTED);
      }
    }
  }

  /** Removes a blob that only its home space owns. */
  private boolean forget(long fingerprint, StoredSpace home, long location) {
    if (!discard(fingerprint, location)) {
      return false;
    }
    home.charge(-Location.recordBytes(location));
    home.countBlobs(-1);
    return true;
  }

  private boolean discard(long fingerprint, long location) {
    if (!state.index.remove(fingerprint, location)) {
      return false;
    }
    state.segments.of(location).addLive(-Location.recordBytes(location));
    mark(location, RecordHeader.EVICTED);
    return true;
  }

  /** Drops a blob whose bytes were found damaged, if it still lies there. */
  void dropDamaged(ContentHash hash, long location) {
    long fingerprint = hash.fingerprint();
    Lock lock = state.lockOf(fingerprint);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      if (state.index.find(fingerprint, probe) == location) {
        forgetDamaged(hash, probe);
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Insert forgetDamaged(ContentHash hash, Index.Probe probe) {
    Segment segment = state.segments.of(probe.location);
    LOG.warn("blob {} in {} is damaged and was dropped", hash, segment.file().path().getFileName());
    state.counters.corruptBlobs.increment();
    return forgetEverywhere(hash.fingerprint(), probe);
  }

  /** Removes a blob or a name from all its spaces, which leaves nothing to return. */
  private @Nullable Insert forgetEverywhere(long fingerprint, Index.Probe probe) {
    if (probe.shared()) {
      forgetAllOwners(fingerprint, probe);
    } else {
      forget(fingerprint, state.spaceOf(probe.location), probe.location);
    }
    return null;
  }

  /** Removes a shared blob from every space. */
  void forgetAllOwners(long fingerprint, Index.Probe probe) {
    StoredSpace payer = payer(fingerprint, probe);
    for (long reference : state.references.of(fingerprint)) {
      dropReference(fingerprint, reference);
    }
    if (!probe.disowned()) {
      state.spaceOf(probe.location).countBlobs(-1);
    }
    probe.marks |= Index.DISOWNED;
    settle(fingerprint, probe, payer);
  }

  /** Changes the state of a record on disk, as well as the disk lets it. */
  void mark(long location, byte mark) {
    try {
      state.segments.of(location).mark(Location.offset(location), mark);
    } catch (IOException | RuntimeException e) {
      state.counters.failures.increment();
      LOG.warn("a record could not be marked; it may come back at the next start", e);
    }
  }

  private enum Match {
    RIGHT,
    /** A name that is bound to something else, or that a blob takes the place of. */
    OUTDATED,
    ANOTHER,
    DAMAGED,
    UNREADABLE
  }

  /**
   * Compares a record to be inserted with the one that is there: the index holds only a part of a
   * hash, and a name says nothing about what it is bound to.
   */
  private Match check(RecordHeader wanted, ByteBuffer content, Index.Probe probe) {
    try {
      Segment segment = state.segments.of(probe.location);
      long offset = Location.offset(probe.location);
      @Nullable RecordHeader header = segment.header(offset);
      if (header == null) {
        return Match.DAMAGED;
      }
      if (header.isName() && !wanted.isName()) {
        return Match.OUTDATED;
      }
      if (header.isName() != wanted.isName() || !header.hash().equals(wanted.hash())) {
        return Match.ANOTHER;
      }
      boolean bound = !header.isName() || segment.holds(offset + RecordHeader.BYTES, content);
      return bound ? Match.RIGHT : Match.OUTDATED;
    } catch (IOException e) {
      state.counters.failures.increment();
      return Match.UNREADABLE;
    }
  }

  /** Returns true if a record is known to have another hash than this. */
  private boolean isAnother(ContentHash hash, Index.Probe probe) {
    try {
      @Nullable RecordHeader header =
          state.segments.of(probe.location).header(Location.offset(probe.location));
      return header != null && !header.hash().equals(hash);
    } catch (IOException e) {
      state.counters.failures.increment();
      return false;
    }
  }
}
