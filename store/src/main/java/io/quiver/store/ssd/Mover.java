package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.Lock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves single records out of segments that are about to be unlinked. */
final class Mover {
  private static final Logger LOG = LoggerFactory.getLogger(Mover.class);
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).asReadOnlyBuffer();

  private final StoreState state;
  private final Appender appender;
  private final BlobCatalog catalog;

  Mover(StoreState state, Appender appender, BlobCatalog catalog) {
    this.state = state;
    this.appender = appender;
    this.catalog = catalog;
  }

  /** Moves a record if a space still owns it; returns false if there was no free space for it. */
  boolean move(Segment segment, long offset, RecordHeader header) {
    return header.isData()
        ? moveData(header.hash(), segment.id(), offset)
        : moveReference(segment, offset, header);
  }

  /** Moves a blob's bytes to one of its owners; spaces that were dropped do not count as owners. */
  boolean moveData(ContentHash hash, int segmentId, long offset) {
    Lock lock = state.lockOf(hash);
    lock.lock();
    try {
      Index.Probe probe = new Index.Probe();
      long location = state.index.find(hash, probe);
      boolean there =
          location != 0
              && Location.segment(location) == segmentId
              && (offset < 0 || Location.offset(location) == offset);
      return !there || carry(hash, probe);
    } finally {
      lock.unlock();
    }
  }

  private boolean carry(ContentHash hash, Index.Probe probe) {
    Segment segment = state.segments.of(probe.location);
    BlobOwners.Shared shared = probe.shared() ? state.owners.find(hash) : null;
    StoredSpace target = target(segment.space(), shared);
    if (target == null) {
      return true;
    }
    try (Arena arena = Arena.ofConfined()) {
      long bytes = Location.recordBytes(probe.location);
      MemorySegment memory = arena.allocate(bytes, RecordHeader.BYTES);
      segment.file().read(memory, bytes, Location.offset(probe.location));
      ByteBuffer record = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      RecordHeader header = RecordHeader.read(record, 0, segment.nonce());
      if (header == null || !header.hash().equals(hash) || !isWhole(header, record)) {
        catalog.dropDamaged(hash, probe.location);
        return true;
      }
      return carry(segment, target, header, record, shared, probe);
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("a blob could not be read while moving it", e);
      return false;
    }
  }

  private boolean carry(
      Segment segment,
      StoredSpace target,
      RecordHeader header,
      ByteBuffer record,
      BlobOwners.@Nullable Shared shared,
      Index.Probe probe) {
    RecordHeader copy = RecordHeader.data(header.length(), header.crc32c(), header.hash());
    ByteBuffer content = record.slice(RecordHeader.BYTES, header.length());
    return appender.move(
        segment.directory(),
        target,
        copy,
        content,
        location -> {
          int shares = settle(segment.space(), target, shared, probe.location);
          int marks = state.segments.of(location).epoch() | shares;
          state.index.replace(header.hash(), probe.location, marks, location);
          segment.addLive(-Location.recordBytes(probe.location));
          catalog.mark(probe.location, RecordHeader.EVICTED);
          if (shares == 0) {
            state.owners.remove(header.hash());
          }
        });
  }

  static @Nullable StoredSpace target(StoredSpace home, BlobOwners.@Nullable Shared shared) {
    if (!home.isDead() && (shared == null || shared.homeOwns)) {
      return home;
    }
    if (shared == null) {
      return null;
    }
    return shared.references.values().stream()
        .map(BlobOwners.Reference::space)
        .filter(space -> !space.isDead())
        .findFirst()
        .orElse(null);
  }

  private static boolean isWhole(RecordHeader header, ByteBuffer record) {
    if (header.recordBytes() > record.capacity()) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(record.slice(RecordHeader.BYTES, header.length()));
    return (int) crc.getValue() == header.crc32c();
  }

  /**
   * Makes the target the owner of the bytes, without a reference, and returns the mark for the
   * index.
   */
  private int settle(
      StoredSpace home, StoredSpace target, BlobOwners.@Nullable Shared shared, long location) {
    if (shared == null) {
      return 0;
    }
    if (target != home) {
      BlobOwners.Reference reference = shared.references.remove(target.id());
      if (reference != null) {
        catalog.dropReference(reference);
        target.countBlobs(1);
      }
      shared.homeOwns = true;
      shared.payer.charge(-Location.recordBytes(location));
      target.charge(Location.recordBytes(location));
      shared.payer = target;
    }
    return shared.references.isEmpty() ? 0 : Index.SHARED;
  }

  private boolean moveReference(Segment segment, long offset, RecordHeader header) {
    ContentHash hash = header.hash();
    Lock lock = state.lockOf(hash);
    lock.lock();
    try {
      BlobOwners.Shared shared = state.owners.find(hash);
      BlobOwners.Reference reference =
          shared == null ? null : shared.references.get(segment.space().id());
      long location = Location.of(segment.id(), offset, RecordHeader.BYTES);
      if (shared == null || reference == null || reference.location() != location) {
        return true;
      }
      return appender.move(
          segment.directory(),
          segment.space(),
          RecordHeader.reference(header.length(), header.crc32c(), hash),
          NOTHING,
          at -> {
            shared.references.put(
                segment.space().id(), new BlobOwners.Reference(segment.space(), at));
            segment.addLive(-RecordHeader.BYTES);
            catalog.mark(location, RecordHeader.EVICTED);
          });
    } finally {
      lock.unlock();
    }
  }
}
