package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads cold blobs into memory with a bounded pool of threads, all blobs of a batch in parallel.
 *
 * <p>The first time, a record is read past the page cache into a borrowed buffer: that costs a
 * third of the processor time, and a data set larger than memory does not push out what is warm.
 * One thread keeps many such reads under way in a {@link ReadQueue}, where the system has them;
 * otherwise each read occupies a thread. A record that is asked for again, and memory was not short
 * since, is read through the page cache and served from the mapping from then on.
 */
final class ColdReads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ColdReads.class);
  private static final int PIECE_BYTES = 256 << 10;
  private static final int QUEUED_TASKS = 4096;

  /** So few reads have a thread each instead of waiting for a queue. */
  private static final int FEW_READS = 4;

  /** Reads of one batch that are worth another thread. */
  private static final int QUEUED_READS = 256;

  /** Reads to wait for before any is checked, so that threads wake seldom. */
  private static final int OUTCOMES_AT_LEAST = ReadQueue.DEPTH / 4;

  /**
   * Keeps a disk busy. All queues together hold fewer reads than the kernel takes for a disk (256
   * as a rule): who hands it more goes to sleep until others have ended.
   */
  private static final int QUEUES_PER_DIRECTORY = 4;

  private static final long LONGEST_WAIT_SECONDS = 60;

  private final StoreState state;
  private final ThreadPoolExecutor threads;
  private final ArrayBlockingQueue<ByteBuffer> buffers;
  private final ArrayBlockingQueue<ReadQueue> queues;
  private final boolean queueing;
  private final PageBuffers pages;

  ColdReads(StoreState state) {
    this.state = state;
    int readers = state.config.coldReaders();
    buffers = new ArrayBlockingQueue<>(readers);
    int most = Math.min(readers, QUEUES_PER_DIRECTORY * state.directories.size());
    queues = new ArrayBlockingQueue<>(most);
    for (int i = 0; i < most; i++) {
      ReadQueue.open().ifPresent(queues::add);
    }
    queueing = !queues.isEmpty();
    pages = new PageBuffers(state.config.coldBufferBytes());
    threads =
        new ThreadPoolExecutor(
            readers,
            readers,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUED_TASKS),
            Thread.ofPlatform().name("quiver-cold-", 0).daemon().factory(),
            (task, pool) -> task.run());
    threads.allowCoreThreadTimeOut(true);
  }

  /** The outcome of one read. */
  enum Ending {
    PENDING,
    WHOLE,
    DAMAGED,
    ANOTHER,
    FAILED
  }

  /** A record to read; its outcome is known once {@link #run} returns. */
  static final class Read {
    final int place;
    final ContentHash hash;
    final Segment segment;
    final long location;

    /** True if it is read past the page cache: then these whole pages. */
    final boolean past;

    final long start;
    final long span;
    int crc32c;
    @Nullable ByteBuffer content;
    PageBuffers.@Nullable Buffer borrowed;
    volatile Ending ending = Ending.PENDING;

    Read(int place, ContentHash hash, Segment segment, long location) {
      this.place = place;
      this.hash = hash;
      this.segment = segment;
      this.location = location;
      long offset = Location.offset(location);
      long bytes = Location.recordBytes(location);
      start = offset & -Libc.PAGE_BYTES;
      span = (offset + bytes - start + Libc.PAGE_BYTES - 1) & -Libc.PAGE_BYTES;
      past = bytes <= PageBuffers.MAX_RECORD_BYTES && !segment.readOnce().holds(offset, bytes);
    }
  }

  /**
   * Reads all records; the caller is in an epoch. A record that the disk does not deliver stays
   * pending.
   */
  void run(List<Read> reads) {
    List<Read> queued = new ArrayList<>(reads.size());
    List<Read> single = new ArrayList<>(0);
    for (Read read : reads) {
      boolean queue = read.past && read.segment.file().directDescriptor() >= 0;
      (queueing && queue ? queued : single).add(read);
    }
    if (queued.size() < FEW_READS) {
      single.addAll(queued);
      queued.clear();
    }
    int readers = state.config.coldReaders();
    int queues = Math.min((queued.size() + QUEUED_READS - 1) / QUEUED_READS, readers);
    int singles = Math.min(single.size(), readers);
    // A worker that outlives the caller's wait must keep the segments open by itself.
    SegmentPins pins = new SegmentPins();
    reads.forEach(read -> pins.pin(read.segment));
    AtomicInteger working = new AtomicInteger(queues + singles);
    CountDownLatch done = new CountDownLatch(queues + singles);
    start(queues, queued, this::workQueued, working, pins, done);
    start(singles, single, this::work, working, pins, done);
    await(done);
  }

  private void start(
      int workers,
      List<Read> reads,
      BiConsumer<List<Read>, AtomicInteger> work,
      AtomicInteger working,
      SegmentPins pins,
      CountDownLatch done) {
    AtomicInteger next = new AtomicInteger();
    for (int i = 0; i < workers; i++) {
      threads.execute(() -> {
        try {
          work.accept(reads, next);
        } finally {
          if (working.decrementAndGet() == 0) {
            pins.release();
          }
          done.countDown();
        }
      });
    }
  }

  private static void await(CountDownLatch done) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS);
    while (true) {
      try {
        if (!done.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          LOG.warn("the disk did not answer within {} s", LONGEST_WAIT_SECONDS);
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads records with a queue of the kernel; without one in time, they stay pending. */
  private void workQueued(List<Read> reads, AtomicInteger next) {
    ReadQueue queue = null;
    boolean whole = false;
    try {
      queue = queues.poll(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
      if (queue != null) {
        work(reads, next, queue);
      }
      whole = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (queue != null) {
        giveBack(queue, whole);
      }
    }
  }

  /** Keeps many reads under way and checks them as they come. */
  private void work(List<Read> reads, AtomicInteger next, ReadQueue queue) {
    boolean more = true;
    while (more || !queue.isEmpty()) {
      while (more && queue.hasRoom()) {
        int place = next.getAndIncrement();
        more = place < reads.size();
        if (more) {
          Read read = reads.get(place);
          int descriptor = read.segment.file().directDescriptor();
          read.borrowed = pages.borrow(read.span);
          queue.add(place, descriptor, read.borrowed.memory(), read.span, read.start);
        }
      }
      int outcomes = queue.exchange(OUTCOMES_AT_LEAST);
      for (int i = 0; i < outcomes; i++) {
        Read read = reads.get(queue.tag(i));
        long got = queue.result(i);
        finish(read, () -> got < 0 ? readPastCache(read) : check(read, got));
      }
    }
  }

  private void giveBack(ReadQueue queue, boolean whole) {
    if (whole) {
      queues.add(queue);
    } else {
      queue.close();
      ReadQueue.open().ifPresent(queues::add);
    }
  }

  /** Reads records one after the other. */
  private void work(List<Read> reads, AtomicInteger next) {
    ByteBuffer kept = buffers.poll();
    ByteBuffer buffer =
        kept != null ? kept : ByteBuffer.allocateDirect(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = next.getAndIncrement(); i < reads.size(); i = next.getAndIncrement()) {
      Read read = reads.get(i);
      finish(read, () -> read.past ? readPastCache(read) : readThroughCache(read, buffer));
    }
    boolean _ = buffers.offer(buffer);
  }

  private interface ReadAttempt {
    Ending read() throws IOException;
  }

  private static void finish(Read read, ReadAttempt attempt) {
    try {
      read.ending = attempt.read();
    } catch (IOException e) {
      LOG.warn("a blob could not be read: {}", e.toString());
      read.ending = Ending.FAILED;
    }
  }

  /** Reads a blob into a borrowed buffer and leaves the page cache to others. */
  private Ending readPastCache(Read read) throws IOException {
    PageBuffers.Buffer borrowed = read.borrowed;
    if (borrowed == null) {
      borrowed = pages.borrow(read.span);
      read.borrowed = borrowed;
    }
    return check(read, read.segment.file().readDirect(borrowed.memory(), read.span, read.start));
  }

  /** Checks a record in its borrowed buffer, of which this many bytes were read. */
  private static Ending check(Read read, long got) {
    ByteBuffer view = Objects.requireNonNull(read.borrowed).view();
    long offset = Location.offset(read.location);
    long bytes = Location.recordBytes(read.location);
    int at = (int) (offset - read.start);
    RecordHeader header =
        got < at + RecordHeader.BYTES ? null : RecordHeader.read(view, at, read.segment.nonce());
    if (header == null || !Location.fits(read.location, header)) {
      return Ending.DAMAGED;
    }
    if (!header.hash().equals(read.hash)) {
      return Ending.ANOTHER;
    }
    if (got < at + RecordHeader.BYTES + header.length()) {
      return Ending.DAMAGED;
    }
    ByteBuffer content = view.slice(at + RecordHeader.BYTES, header.length());
    CRC32C crc = new CRC32C();
    crc.update(content.duplicate());
    if ((int) crc.getValue() != header.crc32c()) {
      return Ending.DAMAGED;
    }
    read.crc32c = header.crc32c();
    read.content = content;
    read.segment.readOnce().mark(offset, bytes);
    return Ending.WHOLE;
  }

  /** Reads a blob into the page cache, because it was asked for before, and checks it. */
  private static Ending readThroughCache(Read read, ByteBuffer buffer) throws IOException {
    MemorySegment memory = MemorySegment.ofBuffer(buffer.clear());
    long offset = Location.offset(read.location);
    long bytes = Location.recordBytes(read.location);
    SegmentFile file = read.segment.file();
    long got = file.read(memory, Math.min(bytes, PIECE_BYTES), offset);
    RecordHeader header =
        got < RecordHeader.BYTES ? null : RecordHeader.read(buffer, 0, read.segment.nonce());
    if (header == null || !Location.fits(read.location, header)) {
      return Ending.DAMAGED;
    }
    if (!header.hash().equals(read.hash)) {
      return Ending.ANOTHER;
    }
    CRC32C crc = new CRC32C();
    long end = offset + RecordHeader.BYTES + header.length();
    long inPiece = Math.min(got, end - offset);
    crc.update(buffer.duplicate().limit((int) inPiece).position(RecordHeader.BYTES));
    for (long at = offset + inPiece; at < end; at += got) {
      got = file.read(memory, Math.min(end - at, PIECE_BYTES), at);
      if (got <= 0) {
        return Ending.DAMAGED;
      }
      crc.update(buffer.duplicate().limit((int) got).position(0));
    }
    if ((int) crc.getValue() != header.crc32c()) {
      return Ending.DAMAGED;
    }
    read.crc32c = header.crc32c();
    read.content = read.segment.slice(offset + RecordHeader.BYTES, header.length());
    read.segment.residency().mark(offset, bytes);
    return Ending.WHOLE;
  }

  /** Takes back the buffers borrowed for these reads. */
  void giveBack(List<PageBuffers.Buffer> borrowed) {
    borrowed.forEach(pages::giveBack);
  }

  @Override
  public void close() {
    threads.shutdown();
    pages.close();
    try {
      if (!threads.awaitTermination(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("threads reading from disk did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (ReadQueue queue = queues.poll(); queue != null; queue = queues.poll()) {
      queue.close();
    }
  }
}
