package io.quiver.store.ssd;

import io.quiver.store.ssd.Recovery.RecoveryMeter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Recovers one segment file: finds its records and cuts what was torn off at its end. */
final class SegmentRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentRecovery.class);

  /**
   * The distance from the end of an unsealed segment within which the bytes of records are checked.
   */
  private static final long CHECKED_TAIL_BYTES = 64L << 20;

  private static final long METER_BYTES = 8L << 20;
  private static final long MAX_FILE_BYTES =
      SsdStoreConfig.MAX_SEGMENT_BYTES + SegmentHeader.BYTES + RecordHeader.BYTES;

  private final StoreState state;
  private final RecoveryMeter meter;
  private final Sink sink;

  SegmentRecovery(StoreState state, RecoveryMeter meter, Sink sink) {
    this.state = state;
    this.meter = meter;
    this.sink = sink;
  }

  /** Takes the records that were not evicted. */
  @FunctionalInterface
  interface Sink {
    void take(Segment segment, long offset, RecordHeader header);
  }

  void recover(SegmentFiles.Found found) throws IOException {
    if (found.bytes() > MAX_FILE_BYTES) {
      throw new IOException("longer than any segment this version writes");
    }
    // Before it is opened, because its bytes are on the disk also if it cannot be.
    found.directory().found(RecordHeader.align(found.bytes()));
    long capacity = Math.max(found.directory().segmentBytes(), found.bytes());
    SegmentFile file = state.opener.open(found.path(), RecordHeader.align(capacity));
    @Nullable Segment segment = null;
    try {
      SegmentHeader header = readHeader(file);
      if (header == null) {
        delete(found, file);
        return;
      }
      segment = state.segments.add(id -> segment(id, found, file, header.nonce()));
      long checkFrom = header.sealed() ? Long.MAX_VALUE : found.bytes() - CHECKED_TAIL_BYTES;
      cut(segment, found.bytes(), scan(segment, found.bytes(), checkFrom));
    } finally {
      if (segment == null) {
        file.close();
      }
    }
  }

  private Segment segment(int id, SegmentFiles.Found found, SegmentFile file, long nonce) {
    StoredSpace space = state.spaces.of(found.space());
    long tail = RecordHeader.align(found.bytes());
    return new Segment(id, found.directory(), space, file, nonce, tail);
  }

  private void delete(SegmentFiles.Found found, SegmentFile file) throws IOException {
    LOG.warn("{} has no readable beginning and is deleted", found.path());
    file.unlink();
    found.directory().giveBack(RecordHeader.align(found.bytes()));
    found.directory().removeIfEmpty(found.space());
    meter.passed(found.bytes());
  }

  /** Scans the segment and returns the end of the last whole record. */
  private long scan(Segment segment, long length, long checkFrom) throws IOException {
    long end = SegmentHeader.BYTES;
    long metered = 0;
    try (SegmentScanner scanner = new SegmentScanner(segment.file(), segment.nonce(), length)) {
      while (scanner.next()) {
        if (scanner.offset() < checkFrom || scanner.isWhole()) {
          end = scanner.end();
          take(segment, scanner.offset(), scanner.header());
        } else if (scanner.header().state() != RecordHeader.EVICTED) {
          segment.mark(scanner.offset(), RecordHeader.EVICTED);
        }
        if (scanner.offset() - metered > METER_BYTES) {
          meter.passed(scanner.offset() - metered);
          metered = scanner.offset();
        }
      }
    }
    meter.passed(length - metered);
    return end;
  }

  private void take(Segment segment, long offset, RecordHeader header) {
    if (header.state() == RecordHeader.LIVE || header.state() == RecordHeader.DISOWNED) {
      sink.take(segment, offset, header);
    }
  }

  private static void cut(Segment segment, long length, long end) throws IOException {
    if (end < RecordHeader.align(length)) {
      LOG.info("{}: cutting {} torn bytes", segment.file().path(), length - end);
      segment.file().truncate(end);
      segment.cut(end);
    }
  }

  private static @Nullable SegmentHeader readHeader(SegmentFile file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment begin = arena.allocate(SegmentHeader.BYTES + RecordHeader.BYTES);
      long read = file.read(begin, begin.byteSize(), 0);
      return SegmentHeader.decode(
          begin.asSlice(0, read).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
    }
  }
}
