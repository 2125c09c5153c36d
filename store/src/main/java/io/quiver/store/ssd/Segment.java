package io.quiver.store.ssd;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Represents one append-only file of records of one space.
 *
 * <p>Writers reserve their part, write it, publish it in the index and report that they have
 * finished; several do so at once. The segment also tracks which of its pages are in memory, and
 * the verification epoch. That epoch advances whenever pages have left memory, so that bytes read
 * from disk again are checked again.
 */
final class Segment {
  private static final int EPOCHS = Index.VERIFIED;

  private final int id;
  private final StoreDirectory directory;
  private final StoredSpace space;
  private final SegmentFile file;
  private final long nonce;
  private final long capacity;
  private final ByteBuffer view;
  private final Arena arena = Arena.ofShared();
  private final PageResidency residency;
  private final PageResidency readOnce;
  private final AtomicLong live = new AtomicLong();
  private final AtomicBoolean sweepAsked = new AtomicBoolean();
  private volatile int epoch = 1;
  private volatile long sweptAt;
  private long tail;
  private int writers;
  private boolean appendable;
  private volatile boolean leaving;
  private volatile Runnable release = this::close;

  /** The readers of its bytes, and one more until it is retired. */
  private final AtomicInteger pins = new AtomicInteger(1);

  Segment(
      int id,
      StoreDirectory directory,
      StoredSpace space,
      SegmentFile file,
      long nonce,
      long tail) {
    this.id = id;
    this.directory = directory;
    this.space = space;
    this.file = file;
    this.nonce = nonce;
    this.tail = tail;
    capacity = file.mapping().byteSize();
    view = file.mapping().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    residency = new PageResidency(capacity, arena);
    readOnce = new PageResidency(capacity, arena);
    sweptAt = System.nanoTime() - Long.MAX_VALUE / 2;
  }

  int id() {
    return id;
  }

  StoreDirectory directory() {
    return directory;
  }

  StoredSpace space() {
    return space;
  }

  SegmentFile file() {
    return file;
  }

  long nonce() {
    return nonce;
  }

  PageResidency residency() {
    return residency;
  }

  /**
   * Returns the pages read past the page cache since memory was last short: they are worth keeping
   * the next time.
   */
  PageResidency readOnce() {
    return readOnce;
  }

  /**
   * Returns a part of the mapping as a buffer; the caller keeps the segment from being released.
   */
  ByteBuffer slice(long offset, int length) {
    return view.slice((int) offset, length);
  }

  /**
   * Returns the whole mapping, little-endian, for absolute reads of pages known to be in memory.
   */
  ByteBuffer view() {
    return view;
  }

  long address() {
    return file.mapping().address();
  }

  // Appending.

  /** Allows or forbids appending. */
  synchronized void appendable(boolean yes) {
    appendable = yes;
  }

  /**
   * Reserves bytes at the end; returns a negative offset if there are too few or appending has
   * ended.
   */
  synchronized long reserve(long bytes) {
    if (!appendable || tail + bytes > capacity) {
      return -1;
    }
    long offset = tail;
    tail += bytes;
    writers++;
    return offset;
  }

  /** Returns the number of current writers. */
  synchronized int writers() {
    return writers;
  }

  /** Ends a write: the reserved part is published or given up. */
  synchronized void finished() {
    writers--;
  }

  /** Returns a reserved part that could not be written, if nobody has reserved behind it since. */
  synchronized boolean giveBack(long offset, long bytes) {
    writers--;
    if (tail != offset + bytes) {
      return false;
    }
    try {
      file.truncate(offset);
    } catch (IOException e) {
      return false;
    }
    tail = offset;
    return true;
  }

  /** Truncates the segment to its last whole record, before anybody appends. */
  synchronized void cut(long end) {
    directory.giveBack(tail - end);
    tail = end;
  }

  /** Ends appending; returns false and changes nothing if somebody is still writing. */
  synchronized boolean seal() {
    if (writers > 0) {
      return false;
    }
    appendable = false;
    return true;
  }

  synchronized boolean isAppendable() {
    return appendable;
  }

  /** Returns the used bytes of the file, its header included. */
  synchronized long tail() {
    return tail;
  }

  synchronized long freeBytes() {
    return capacity - tail;
  }

  /** Returns true if the file is unlinked and only readers keep the segment. */
  boolean isLeaving() {
    return leaving;
  }

  void leave() {
    leaving = true;
  }

  // Being used.

  /** Keeps the segment from being released; the caller found it in the epoch it is in. */
  void pin() {
    pins.incrementAndGet();
  }

  void unpin() {
    if (pins.decrementAndGet() == 0) {
      release.run();
    }
  }

  /** Runs the release when the last reader has left; nobody can find the segment any more. */
  void retire(Runnable lastly) {
    release = lastly;
    unpin();
  }

  /** Unmaps and closes the file. */
  void close() {
    file.close();
    arena.close();
  }

  // What of it is alive.

  void addLive(long bytes) {
    live.addAndGet(bytes);
    directory.addLive(bytes);
  }

  long live() {
    return live.get();
  }

  long garbage() {
    return tail() - SegmentHeader.BYTES - live.get();
  }

  // What is believed of its bytes.

  int epoch() {
    return epoch;
  }

  void swept(long now, boolean pagesLeft) {
    if (pagesLeft) {
      epoch = epoch % EPOCHS + 1;
      readOnce.clear();
    }
    sweptAt = now;
    sweepAsked.set(false);
  }

  long sweptAt() {
    return sweptAt;
  }

  /** Returns true for the one caller that should ask for the sweep. */
  boolean askForSweep() {
    return !sweepAsked.get() && sweepAsked.compareAndSet(false, true);
  }

  // Single records.

  /** Reads a record's header from the file, or null when it is damaged. */
  @Nullable RecordHeader header(long offset) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(RecordHeader.BYTES);
      if (file.read(target, RecordHeader.BYTES, offset) < RecordHeader.BYTES) {
        return null;
      }
      return RecordHeader.read(target.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN), 0, nonce);
    }
  }

  /** Returns true if the file holds these bytes at an offset; for a few bytes. */
  boolean holds(long offset, ByteBuffer bytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment there = arena.allocate(bytes.remaining());
      return file.read(there, there.byteSize(), offset) == there.byteSize()
          && there.asByteBuffer().equals(bytes);
    }
  }

  /** Changes a record's state, the only byte of it that changes. */
  void mark(long offset, byte state) throws IOException {
    file.write(ByteBuffer.wrap(new byte[] {state}), offset + RecordHeader.STATE_OFFSET);
  }

  /** Records in the file whether the next start must look for torn records. */
  void markSealed(boolean sealed) throws IOException {
    byte state = sealed ? SegmentHeader.SEALED : SegmentHeader.OPEN;
    file.write(ByteBuffer.wrap(new byte[] {state}), SegmentHeader.STATE_OFFSET);
  }
}
