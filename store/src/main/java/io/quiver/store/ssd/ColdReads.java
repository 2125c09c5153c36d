package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads cold blobs into memory with a bounded pool of threads, all blobs of a batch in parallel.
 *
 * <p>The first time, a record is read past the page cache into a borrowed buffer: that costs a
 * third of the processor time, and a data set larger than memory does not push out what is warm. A
 * record that is asked for again, and memory was not short since, is read through the page cache
 * and served from the mapping from then on.
 */
final class ColdReads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ColdReads.class);
  private static final int PIECE_BYTES = 256 << 10;
  private static final int QUEUED_TASKS = 4096;
  private static final long LONGEST_WAIT_SECONDS = 60;

  private final StoreState state;
  private final ThreadPoolExecutor threads;
  private final ArrayBlockingQueue<ByteBuffer> buffers;
  private final PageBuffers pages;

  ColdReads(StoreState state) {
    this.state = state;
    int readers = state.config.coldReaders();
    buffers = new ArrayBlockingQueue<>(readers);
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
    int crc32c;
    @Nullable ByteBuffer content;
    PageBuffers.@Nullable Buffer borrowed;
    volatile Ending ending = Ending.PENDING;

    Read(int place, ContentHash hash, Segment segment, long location) {
      this.place = place;
      this.hash = hash;
      this.segment = segment;
      this.location = location;
    }
  }

  /**
   * Reads all records; the caller is in an epoch. A record that the disk does not deliver stays
   * pending.
   */
  void run(List<Read> reads) {
    int workers = Math.min(reads.size(), state.config.coldReaders());
    AtomicInteger next = new AtomicInteger();
    AtomicInteger working = new AtomicInteger(workers);
    CountDownLatch done = new CountDownLatch(workers);
    // A worker that outlives the caller's wait must keep the segments open by itself.
    SegmentPins pins = new SegmentPins();
    reads.forEach(read -> pins.pin(read.segment));
    for (int i = 0; i < workers; i++) {
      threads.execute(() -> {
        try {
          work(reads, next);
        } finally {
          if (working.decrementAndGet() == 0) {
            pins.release();
          }
          done.countDown();
        }
      });
    }
    await(done);
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

  private void work(List<Read> reads, AtomicInteger next) {
    ByteBuffer kept = buffers.poll();
    ByteBuffer buffer =
        kept != null ? kept : ByteBuffer.allocateDirect(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = next.getAndIncrement(); i < reads.size(); i = next.getAndIncrement()) {
      Read read = reads.get(i);
      try {
        read.ending = read(read, buffer);
      } catch (IOException e) {
        LOG.warn("a blob could not be read: {}", e.toString());
        read.ending = Ending.FAILED;
      }
    }
    boolean _ = buffers.offer(buffer);
  }

  private Ending read(Read read, ByteBuffer buffer) throws IOException {
    long offset = Location.offset(read.location);
    long bytes = Location.recordBytes(read.location);
    boolean again = read.segment.readOnce().holds(offset, bytes);
    return again || bytes > PageBuffers.MAX_RECORD_BYTES
        ? readThroughCache(read, buffer)
        : readPastCache(read);
  }

  /** Reads a blob into a borrowed buffer and leaves the page cache to others. */
  private Ending readPastCache(Read read) throws IOException {
    long offset = Location.offset(read.location);
    long bytes = Location.recordBytes(read.location);
    long start = offset & -Libc.PAGE_BYTES;
    long span = (offset + bytes - start + Libc.PAGE_BYTES - 1) & -Libc.PAGE_BYTES;
    PageBuffers.Buffer borrowed = pages.borrow(span);
    read.borrowed = borrowed;
    long got = read.segment.file().readDirect(borrowed.memory(), span, start);
    int at = (int) (offset - start);
    RecordHeader header =
        got < at + RecordHeader.BYTES
            ? null
            : RecordHeader.read(borrowed.view(), at, read.segment.nonce());
    if (header == null || header.recordBytes() != bytes) {
      return Ending.DAMAGED;
    }
    if (!header.hash().equals(read.hash)) {
      return Ending.ANOTHER;
    }
    if (got < at + RecordHeader.BYTES + header.length()) {
      return Ending.DAMAGED;
    }
    ByteBuffer content = borrowed.view().slice(at + RecordHeader.BYTES, header.length());
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
    if (header == null || header.recordBytes() != bytes) {
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
  }
}
