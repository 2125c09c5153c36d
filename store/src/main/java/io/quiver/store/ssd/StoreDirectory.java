package io.quiver.store.ssd;

import io.quiver.core.space.SpaceId;
import io.quiver.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages one disk's folder: its share of the capacity, its health, and the names of its files.
 *
 * <p>Disk space is counted in bytes of files. Inserts leave a reserve of one segment, which only
 * moves may use, so that garbage can always be collected. Live blobs take at most fifteen
 * sixteenths of the rest, so that a full directory has garbage worth collecting.
 */
final class StoreDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreDirectory.class);
  private static final int FAILURES_TO_SUSPEND = 3;
  private static final long SUSPENSION_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Path path;
  private final DirectoryLock lock;
  private final long share;
  private final long segmentBytes;
  private final long reserve;
  private final LongSupplier nanoTime;
  private final AtomicLong live = new AtomicLong();
  private final AtomicLong nextNumber = new AtomicLong(1);
  private long used;
  private long leaving;
  private long departures;
  private int failuresInRow;
  private long suspendedAt;

  StoreDirectory(
      Path path, long share, long wantedSegmentBytes, long maxBlobBytes, LongSupplier nanoTime)
      throws StoreException {
    this.path = path;
    this.share = share;
    this.nanoTime = nanoTime;
    segmentBytes =
        Math.clamp(share / 8, SsdStoreConfig.MIN_SEGMENT_BYTES, wantedSegmentBytes)
            & -Libc.PAGE_BYTES;
    long longest = Math.max(segmentBytes, RecordHeader.recordBytes(maxBlobBytes));
    reserve = Math.min(longest + Libc.PAGE_BYTES, share / 4);
    lock = DirectoryLock.take(path);
  }

  Path path() {
    return path;
  }

  /** Returns the length of the segments created here. */
  long segmentBytes() {
    return segmentBytes;
  }

  // Disk space.

  /** Returns the bytes that only moves may use. */
  long reserve() {
    return reserve;
  }

  /** Returns true if a blob of this size fits once garbage has been collected. */
  boolean admits(long bytes) {
    long forBlobs = share - reserve;
    return live.get() + bytes <= forBlobs - forBlobs / 16;
  }

  /** Reserves bytes for an insert, or for a move, which may use the reserve. */
  synchronized boolean take(long bytes, boolean moving) {
    if (used + bytes > (moving ? share : share - reserve)) {
      return false;
    }
    used += bytes;
    return true;
  }

  /** Counts bytes found at start, without checking the bound. */
  synchronized void found(long bytes) {
    used += bytes;
  }

  synchronized void giveBack(long bytes) {
    used -= bytes;
    notifyAll();
  }

  /** Announces bytes that come back when readers release them. */
  synchronized void leaving(long bytes) {
    leaving += bytes;
  }

  /** Frees announced bytes that have come back. */
  synchronized void left(long bytes) {
    leaving -= bytes;
    departures++;
    giveBack(bytes);
  }

  /** Returns the bytes that a move could still write. */
  synchronized long bytesForMoves() {
    return share - used;
  }

  synchronized boolean hasFree(long bytes) {
    return used + bytes <= share - reserve;
  }

  /** Returns true if enough bytes will be free when readers have released what was announced. */
  synchronized boolean willHaveFree(long bytes) {
    return used - leaving + bytes <= share - reserve;
  }

  /** Returns the number of times that announced bytes have come back. */
  synchronized long departures() {
    return departures;
  }

  /**
   * Waits for announced bytes to come back, however few, because they may be what collecting was
   * short of.
   *
   * @param seen the departures before the caller looked for something to collect
   * @return what is left of the time; 0 when it is over or nothing is announced
   */
  synchronized long awaitDeparture(long seen, long timeoutNanos) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    while (departures == seen) {
      long left = deadline - System.nanoTime();
      if (leaving == 0 || left <= 0) {
        return 0;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return Math.max(1, deadline - System.nanoTime());
  }

  /**
   * Waits for bytes a move may use, as long as readers hold some; returns false if there are none.
   */
  synchronized boolean awaitBytesForMoves(long bytes, long timeoutNanos)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    while (used + bytes > share) {
      long left = deadline - System.nanoTime();
      if (leaving == 0 || left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  synchronized long used() {
    return used;
  }

  /** Returns the bytes by which files exceed the share; below 0 if they do not. */
  synchronized long excess() {
    return used - share;
  }

  void addLive(long bytes) {
    live.addAndGet(bytes);
  }

  long live() {
    return live.get();
  }

  // Health.

  synchronized boolean isWritable() {
    return failuresInRow < FAILURES_TO_SUSPEND
        || nanoTime.getAsLong() - suspendedAt >= SUSPENSION_NANOS;
  }

  synchronized void wrote() {
    if (failuresInRow > 0) {
      failuresInRow = 0;
    }
  }

  synchronized void failedToWrite(IOException cause) {
    failuresInRow++;
    suspendedAt = nanoTime.getAsLong();
    if (failuresInRow == FAILURES_TO_SUSPEND) {
      LOG.warn("{} takes no writes; trying again every 30 s: {}", path, cause.toString());
    }
  }

  // Names.

  Path spacesPath() {
    return path.resolve("spaces");
  }

  Path spacePath(SpaceId space) {
    return spacesPath().resolve(space.name());
  }

  /** Creates the file of a space's next segment. */
  SegmentFile newSegment(SpaceId space, long mappedBytes, SegmentFile.Opener opener)
      throws IOException {
    synchronized (nextNumber) {
      Path folder = Files.createDirectories(spacePath(space));
      String name = nextNumber.getAndIncrement() + SegmentFiles.SUFFIX;
      return opener.open(folder.resolve(name), mappedBytes);
    }
  }

  /** Removes the folder of a space in which there is no file any more. */
  void removeIfEmpty(SpaceId space) {
    synchronized (nextNumber) {
      try {
        Files.deleteIfExists(spacePath(space));
      } catch (IOException e) {
        LOG.trace("{} stays: {}", spacePath(space), e.toString());
      }
    }
  }

  /** Keeps new file numbers clear of one that was found. */
  void numberSeen(long number) {
    nextNumber.accumulateAndGet(number + 1, Math::max);
  }

  @Override
  public void close() {
    lock.close();
  }
}
