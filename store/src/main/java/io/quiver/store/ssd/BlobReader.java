package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Answers one read of blobs or of names: looks them up, serves those in memory as slices of the
 * mapping, and has the rest read from disk. Works in rounds, because a blob that turns out damaged
 * is a miss and another takes its place; nearly always there is one.
 */
final class BlobReader {
  private static final long COLD_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The most bytes by which a blob is shorter than its record: the header and the padding. */
  private static final int MAX_OVERHEAD = 2 * RecordHeader.BYTES - 1;

  private final StoreState state;
  private final BlobCatalog catalog;
  private final ColdReads coldReads;
  private final ColdBudget budget;
  private final List<ContentHash> hashes;
  private final int want;
  private final long maxBytes;
  private final boolean checkAll;
  private final boolean names;
  private final MappedBatch batch;
  private final LookAhead ahead;
  private final List<ColdReads.Read> cold = new ArrayList<>(0);
  private final List<PageBuffers.Buffer> borrowed = new ArrayList<>(0);
  private final SegmentPins pins = new SegmentPins();
  private final @Nullable StoredSpace[] homes; // empty where nobody wants to hear of reads
  private long coldBytes;
  private int next;
  private long warmReads;

  /** Reads whole blobs, as {@link BlobStore#read} says. */
  static BlobReader ofBlobs(
      Reading reading, List<ContentHash> hashes, int want, long maxBytes, boolean checkAll) {
    return new BlobReader(reading, hashes, want, maxBytes, checkAll, false);
  }

  /** Reads what names are bound to. */
  static BlobReader ofNames(Reading reading, List<ContentHash> keys) {
    return new BlobReader(reading, keys, keys.size(), Long.MAX_VALUE, false, true);
  }

  private BlobReader(
      Reading reading,
      List<ContentHash> hashes,
      int want,
      long maxBytes,
      boolean checkAll,
      boolean names) {
    state = reading.state();
    catalog = reading.catalog();
    coldReads = reading.coldReads();
    budget = reading.budget();
    this.hashes = hashes;
    this.want = want;
    this.maxBytes = maxBytes;
    this.checkAll = checkAll;
    this.names = names;
    homes = new @Nullable StoredSpace[state.spaces.isAnyHeard() ? hashes.size() : 0];
    ahead = new LookAhead(state, reading.warmth(), hashes, state.nanoTime.getAsLong());
    batch = new MappedBatch(hashes.size(), this::release);
  }

  /** The parts of the store that reading needs. */
  record Reading(
      StoreState state,
      BlobCatalog catalog,
      Warmth warmth,
      ColdReads coldReads,
      ColdBudget budget) {}

  private void release() {
    budget.giveBack(coldBytes);
    coldReads.giveBack(borrowed);
    pins.release();
  }

  /** Returns the answer; closed by its caller, or here if anything goes wrong. */
  MappedBatch read() {
    boolean done = false;
    try {
      boolean full = false;
      while (!full && next < hashes.size() && batch.hits() < want) {
        full = round();
      }
      state.counters.warmReads.add(warmReads);
      batch.rest(next, full ? BlobStatus.DEFERRED : BlobStatus.SKIPPED);
      done = true;
      return batch;
    } finally {
      if (!done) {
        batch.close();
      }
    }
  }

  /** Looks up as many hashes as are still wanted; returns true if the answer is full. */
  private boolean round() {
    int from = next;
    boolean stopped = look();
    if (!cold.isEmpty()) {
      coldReads.run(cold);
      cold.forEach(this::finish);
      cold.clear();
    }
    int to = next;
    for (next = from; next < to; next++) {
      if (!batch.isFound(next)) {
        continue;
      }
      if (batch.hits() > 0 && batch.hitBytes() + batch.foundBytes(next) > maxBytes) {
        return true;
      }
      batch.hit(next);
      if (homes.length > 0) {
        touch(next);
      }
    }
    return stopped && batch.hits() > 0;
  }

  private void touch(int place) {
    ContentHash hash = hashes.get(place);
    @Nullable StoredSpace home = homes[place];
    if (home == null) {
      catalog.touchOwners(hash);
    } else {
      home.touched(hash.fingerprint());
    }
  }

  /**
   * Walks the index until enough blobs are found; returns true if the next one would exceed the
   * bound.
   */
  private boolean look() {
    int expected = batch.hits();
    long expectedBytes = batch.hitBytes();
    for (; next < hashes.size() && expected < want; next++) {
      ahead.reach(next, want - expected);
      long location = ahead.location(next);
      if (location == 0 || Location.isName(location) != names) {
        continue;
      }
      long atLeast = Math.max(0, Location.recordBytes(location) - MAX_OVERHEAD);
      if (expected > 0 && expectedBytes + atLeast > maxBytes) {
        return true;
      }
      Segment segment = state.segments.of(location);
      pins.pin(segment);
      if (homes.length > 0) {
        homes[next] = ahead.isShared(next) ? null : segment.space();
      }
      boolean warm = ahead.isWarm(next);
      if (warm) {
        serve(segment, location);
      } else if (!plan(segment, location, expected)) {
        return true;
      }
      if (!warm || batch.isFound(next)) {
        expected++;
        expectedBytes += atLeast;
      }
    }
    return false;
  }

  private boolean plan(Segment segment, long location, int expected) {
    long bytes = Location.recordBytes(location);
    if (!budget.tryTake(bytes)) {
      if (expected > 0) {
        return false;
      }
      budget.take(bytes, COLD_WAIT_NANOS);
    }
    coldBytes += bytes;
    cold.add(new ColdReads.Read(next, hashes.get(next), segment, location));
    return true;
  }

  /** Serves a blob in memory as a slice, checked unless its bytes are known to be right. */
  private void serve(Segment segment, long location) {
    ContentHash hash = hashes.get(next);
    int offset = (int) Location.offset(location);
    ByteBuffer view = segment.view();
    int epoch = segment.epoch();
    boolean known = !checkAll && ahead.verified(next) == epoch;
    int length = view.getInt(offset + RecordHeader.LENGTH_OFFSET);
    int crc32c = view.getInt(offset + RecordHeader.CONTENT_CRC_OFFSET);
    if (!known) {
      RecordHeader header = RecordHeader.read(view, offset, segment.nonce());
      if (header == null || !isWhole(segment, location, header)) {
        catalog.dropDamaged(hash, location);
        return;
      }
    }
    if (!hash.equals(ContentHash.read(view, offset + RecordHeader.HASH_OFFSET))
        || RecordHeader.recordBytes(length) != Location.recordBytes(location)) {
      return;
    }
    if (!known) {
      state.index.verified(hash, location, epoch);
    }
    batch.found(next, segment.slice(offset + RecordHeader.BYTES, length), crc32c);
    warmReads++;
  }

  private static boolean isWhole(Segment segment, long location, RecordHeader header) {
    if (!Location.fits(location, header)) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(segment.slice(Location.offset(location) + RecordHeader.BYTES, header.length()));
    return (int) crc.getValue() == header.crc32c();
  }

  private void finish(ColdReads.Read read) {
    if (read.borrowed != null && read.ending != ColdReads.Ending.PENDING) {
      borrowed.add(read.borrowed);
    }
    switch (read.ending) {
      case WHOLE -> {
        state.counters.coldReads.increment();
        if (read.borrowed == null) { // what the page cache holds was checked
          state.index.verified(read.hash, read.location, read.segment.epoch());
        }
        batch.found(read.place, Objects.requireNonNull(read.content), read.crc32c);
      }
      case DAMAGED -> catalog.dropDamaged(read.hash, read.location);
      case FAILED, PENDING -> state.counters.failures.increment();
      case ANOTHER -> {} // the index knows only part of a hash
    }
  }
}
