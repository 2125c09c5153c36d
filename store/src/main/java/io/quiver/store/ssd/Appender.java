package io.quiver.store.ssd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends records to segments: reserves space, writes, and publishes once the operating system has
 * the bytes, where they outlive the process. Whatever fails, and however, the space that was
 * reserved is free again or counts as garbage, and nobody seems to be writing.
 *
 * <p>Whoever publishes makes the record visible, or throws and has changed nothing.
 */
final class Appender {
  private static final Logger LOG = LoggerFactory.getLogger(Appender.class);

  /** The longest record whose header and bytes are written in one call. */
  private static final int GATHERED_BYTES = 64 << 10;

  private static final int KEPT_BUFFERS = 32;
  private static final int ROLL_ATTEMPTS = 16;
  private static final long FAILED_WRITE = -1;
  private static final long NO_ROOM = -2;

  private final StoreState state;
  private final SecureRandom nonces = new SecureRandom();
  private final ArrayBlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(KEPT_BUFFERS);

  Appender(StoreState state) {
    this.state = state;
  }

  /** Appends a new record in the directory with the most free space. */
  Appended insert(
      StoredSpace space, RecordHeader header, ByteBuffer content, LongConsumer publish) {
    @Nullable StoreDirectory full = null;
    List<StoreDirectory> directories = byBudget();
    boolean failed = directories.isEmpty();
    for (StoreDirectory directory : directories) {
      if (!directory.admits(header.recordBytes())) {
        continue;
      }
      long location = append(directory, space, header, content, publish, false);
      if (location > 0) {
        return new Appended.At(location);
      }
      if (location == FAILED_WRITE) {
        failed = true;
      } else if (full == null) {
        full = directory;
      }
    }
    if (full != null) {
      return new Appended.Full(full);
    }
    return failed ? new Appended.Failed() : new Appended.CapacityReached();
  }

  /** Appends a record that is moved, in its own directory or any other with free space. */
  boolean move(
      StoreDirectory from,
      StoredSpace space,
      RecordHeader header,
      ByteBuffer content,
      LongConsumer publish) {
    if (from.isWritable() && append(from, space, header, content, publish, true) > 0) {
      return true;
    }
    for (StoreDirectory directory : byBudget()) {
      if (directory != from && append(directory, space, header, content, publish, true) > 0) {
        return true;
      }
    }
    return false;
  }

  private List<StoreDirectory> byBudget() {
    return state.directories.stream()
        .filter(StoreDirectory::isWritable)
        .sorted(Comparator.comparingLong(StoreDirectory::bytesForMoves).reversed())
        .toList();
  }

  private long append(
      StoreDirectory directory,
      StoredSpace space,
      RecordHeader header,
      ByteBuffer content,
      LongConsumer publish,
      boolean moving) {
    long bytes = header.recordBytes();
    if (!directory.take(bytes, moving)) {
      return NO_ROOM;
    }
    Segment segment = null;
    try {
      boolean alone = SegmentHeader.BYTES + bytes > directory.segmentBytes();
      Reserved reserved =
          alone
              ? reserveAlone(directory, space, bytes, moving)
              : reserve(directory, space, bytes, moving);
      segment = reserved.segment();
      long location =
          segment == null
              ? reserved.offset()
              : write(segment, reserved.offset(), header, content, publish);
      if (segment != null && alone) {
        leave(segment);
      }
      return location;
    } finally {
      if (segment == null) {
        directory.giveBack(bytes);
      }
    }
  }

  /** A part of a segment that the caller may write, or the reason why there is none. */
  private record Reserved(@Nullable Segment segment, long offset) {}

  private Reserved reserve(
      StoreDirectory directory, StoredSpace space, long bytes, boolean moving) {
    for (int attempt = 0; attempt < ROLL_ATTEMPTS; attempt++) {
      Segment segment = space.appending(directory);
      long offset = segment == null ? -1 : segment.reserve(bytes);
      if (offset >= 0) {
        return new Reserved(segment, offset);
      }
      long rolled = roll(directory, space, segment, moving);
      if (rolled < 0) {
        return new Reserved(null, rolled);
      }
    }
    return new Reserved(null, NO_ROOM);
  }

  /** Reserves a segment for a blob that is longer than one. */
  private Reserved reserveAlone(
      StoreDirectory directory, StoredSpace space, long bytes, boolean moving) {
    if (!directory.take(SegmentHeader.BYTES, moving)) {
      return new Reserved(null, NO_ROOM);
    }
    @Nullable Segment segment = create(directory, space, SegmentHeader.BYTES + bytes);
    return segment == null
        ? new Reserved(null, FAILED_WRITE)
        : new Reserved(segment, segment.reserve(bytes));
  }

  private long write(
      Segment segment, long offset, RecordHeader header, ByteBuffer content, LongConsumer publish) {
    long location = Location.of(segment.id(), offset, header);
    boolean written = false;
    boolean published = false;
    try {
      write(segment, offset, header, content);
      written = true;
      segment.directory().wrote();
      state.counters.writtenBytes.add(header.recordBytes());
      segment.residency().mark(offset, RecordHeader.BYTES + content.remaining());
      segment.addLive(header.recordBytes());
      publish.accept(location);
      published = true;
      return location;
    } catch (IOException e) {
      fail(segment.directory(), e);
      return FAILED_WRITE;
    } finally {
      if (published) {
        segment.finished();
      } else {
        takeBack(segment, offset, header.recordBytes(), written);
      }
    }
  }

  /** Gives up a reserved part. What cannot be cut off becomes garbage. */
  private void takeBack(Segment segment, long offset, long bytes, boolean written) {
    if (written) {
      segment.addLive(-bytes);
      try {
        segment.mark(offset, RecordHeader.EVICTED);
      } catch (IOException | RuntimeException e) {
        LOG.debug("a record that nobody knows of may come back at the next start", e);
      }
    }
    if (segment.giveBack(offset, bytes)) {
      segment.directory().giveBack(bytes);
    }
  }

  private void write(Segment segment, long offset, RecordHeader header, ByteBuffer content)
      throws IOException {
    ByteBuffer buffer = borrow();
    try {
      buffer.clear();
      header.write(buffer, segment.nonce());
      boolean gathered = content.remaining() <= GATHERED_BYTES;
      if (gathered) {
        buffer.put(RecordHeader.BYTES, content, content.position(), content.remaining());
      } else {
        segment.file().write(content, offset + RecordHeader.BYTES);
      }
      int length = RecordHeader.BYTES + (gathered ? content.remaining() : 0);
      segment.file().write(buffer.limit(length), offset);
    } finally {
      boolean _ = buffers.offer(buffer);
    }
  }

  private ByteBuffer borrow() {
    ByteBuffer kept = buffers.poll();
    return kept != null ? kept : ByteBuffer.allocateDirect(RecordHeader.BYTES + GATHERED_BYTES);
  }

  /**
   * Stops appending to a full segment, and opens another if none is open beside it.
   *
   * @param seen the full one; null when every one is busy or there is none
   */
  private long roll(
      StoreDirectory directory, StoredSpace space, @Nullable Segment seen, boolean moving) {
    synchronized (space) {
      if (seen == null ? space.appending(directory) != null : space.openBeside(seen) < 0) {
        return 0; // somebody else just did
      }
      if (seen == null || space.openBeside(seen) == 0) {
        long begun = begin(directory, space, moving);
        if (begun < 0) {
          return begun;
        }
      }
      if (seen != null) {
        space.leave(seen);
      }
    }
    if (seen != null) {
      leave(seen);
    }
    return 0;
  }

  private long begin(StoreDirectory directory, StoredSpace space, boolean moving) {
    if (!directory.take(SegmentHeader.BYTES, moving)) {
      return NO_ROOM;
    }
    @Nullable Segment segment = create(directory, space, directory.segmentBytes());
    if (segment == null) {
      return FAILED_WRITE;
    }
    space.appendTo(segment);
    return 0;
  }

  /**
   * Creates a segment whose header the caller has reserved; returns null, and gives the header
   * back, if the disk refuses.
   */
  private @Nullable Segment create(StoreDirectory directory, StoredSpace space, long capacity) {
    @Nullable Segment segment = null;
    try {
      segment = state.segments.add(id -> create(id, directory, space, capacity));
    } catch (IOException e) {
      fail(directory, e);
    } finally {
      if (segment == null) {
        directory.giveBack(SegmentHeader.BYTES);
      }
    }
    return segment;
  }

  private Segment create(int id, StoreDirectory directory, StoredSpace space, long capacity)
      throws IOException {
    SegmentFile file = directory.newSegment(space.id(), capacity, state.opener);
    boolean done = false;
    try {
      long nonce = nonces.nextLong();
      file.write(new SegmentHeader(nonce, false).encode(), 0);
      Segment segment = new Segment(id, directory, space, file, nonce, SegmentHeader.BYTES);
      segment.residency().mark(0, SegmentHeader.BYTES);
      segment.appendable(true);
      done = true;
      return segment;
    } finally {
      if (!done) {
        file.close();
        file.unlink();
        directory.removeIfEmpty(space.id());
      }
    }
  }

  /**
   * Seals a full segment, so that the next start need not look for torn records in it. One that was
   * collected is sealed already, and its file may be closed.
   */
  private void leave(Segment segment) {
    try {
      if (segment.isAppendable() && segment.seal()) {
        segment.markSealed(true);
      }
    } catch (IOException e) {
      fail(segment.directory(), e);
    }
  }

  private void fail(StoreDirectory directory, IOException e) {
    LOG.debug("a write to {} failed", directory.path(), e);
    state.counters.failures.increment();
    directory.failedToWrite(e);
  }

  /** The outcome of an attempt to append a record. */
  sealed interface Appended {
    /** The record was written and published at this location. */
    record At(long location) implements Appended {}

    /** The directory is full now, but collecting its garbage may free space. */
    record Full(StoreDirectory directory) implements Appended {}

    /** Live records take the whole capacity. */
    record CapacityReached() implements Appended {}

    /** No disk accepted the record. */
    record Failed() implements Appended {}
  }
}
