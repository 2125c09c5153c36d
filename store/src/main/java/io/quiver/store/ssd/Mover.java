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
    long location = Location.of(segment.id(), offset, header);
    long fingerprint = header.hash().fingerprint();
    Lock lock = state.lockOf(fingerprint);
    lock.lock();
    try {
      if (!header.hasContent()) {
        return moveReference(segment, location, header);
      }
      Index.Probe probe = new Index.Probe();
      return state.index.find(fingerprint, probe) != location || moveData(header.hash(), probe);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Moves a blob's bytes to one of its owners, under the blob's lock; spaces that were dropped do
   * not count as owners.
   */
  boolean moveData(ContentHash hash, Index.Probe probe) {
    StoredSpace target = target(hash.fingerprint(), probe);
    if (target == null) {
      return true;
    }
    Segment segment = state.segments.of(probe.location);
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
      return appender.move(
          segment.directory(),
          target,
          header.alive(),
          record.slice(RecordHeader.BYTES, header.length()),
          location -> moved(hash.fingerprint(), target, probe, location));
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("a blob could not be read while moving it", e);
      return false;
    }
  }

  /** Returns the space to move a blob to, or null if no space that lives owns it. */
  @Nullable StoredSpace target(long fingerprint, Index.Probe probe) {
    StoredSpace home = state.spaceOf(probe.location);
    if (!home.isDead() && !probe.disowned()) {
      return home;
    }
    long reference = catalog.referenceOf(fingerprint, space -> !space.isDead());
    return reference == 0 ? null : state.spaceOf(reference);
  }

  private static boolean isWhole(RecordHeader header, ByteBuffer record) {
    if (header.recordBytes() > record.capacity()) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(record.slice(RecordHeader.BYTES, header.length()));
    return (int) crc.getValue() == header.crc32c();
  }

  /** Enters the new place in the index; the target owns the bytes there without a reference. */
  private void moved(long fingerprint, StoredSpace target, Index.Probe probe, long location) {
    Segment from = state.segments.of(probe.location);
    StoredSpace payer = catalog.payer(fingerprint, probe);
    int shares = probe.marks & Index.SHARED;
    int marks = state.segments.of(location).epoch() | shares;
    state.index.replace(fingerprint, probe.location, marks, location);
    from.addLive(-Location.recordBytes(probe.location));
    long reference =
        target == from.space() ? 0 : catalog.referenceOf(fingerprint, space -> space == target);
    if (target != from.space()) {
      target.countBlobs(1);
      from.space().countBlobs(probe.disowned() ? 0 : -1);
    }
    if (reference != 0) {
      catalog.dropReference(fingerprint, reference);
    }
    catalog.mark(probe.location, RecordHeader.EVICTED);
    probe.location = location;
    probe.marks = marks;
    if (shares != 0) {
      catalog.settle(fingerprint, probe, payer);
    }
  }

  private boolean moveReference(Segment segment, long location, RecordHeader header) {
    long fingerprint = header.hash().fingerprint();
    if (catalog.referenceOf(fingerprint, space -> space == segment.space()) != location) {
      return true;
    }
    return appender.move(
        segment.directory(),
        segment.space(),
        RecordHeader.reference(header.length(), header.crc32c(), header.hash()),
        NOTHING,
        at -> {
          state.references.add(fingerprint, at);
          boolean _ = state.references.remove(fingerprint, location);
          segment.addLive(-RecordHeader.BYTES);
          catalog.mark(location, RecordHeader.EVICTED);
        });
  }
}
