package io.quiver.store.ssd;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the index from the record headers in the segment files at start.
 *
 * <p>Segments are scanned in parallel. What depends on more than one of them is settled after:
 * references to blobs in other spaces, blobs disowned by their home space, and blobs found twice
 * because the process died while moving them. All of it lies outside the heap, however much it is.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** The most blobs found twice for which the second space stays an owner; a move leaves one. */
  private static final int MAX_DUPLICATES = 4096;

  private final StoreState state;
  private final BlobCatalog catalog;
  private final RecoveryMeter meter;
  private final Queue<FoundRecord> duplicates = new ArrayBlockingQueue<>(MAX_DUPLICATES);

  Recovery(StoreState state, BlobCatalog catalog, RecoveryMeter meter) {
    this.state = state;
    this.catalog = catalog;
    this.meter = meter;
  }

  /** A record to be resolved after the scan. */
  record FoundRecord(Segment segment, long location, RecordHeader header) {}

  /** Scans all segments. */
  void run() throws IOException {
    List<SegmentFiles.Found> files = new ArrayList<>();
    for (StoreDirectory directory : state.directories) {
      files.addAll(SegmentFiles.in(directory));
    }
    files.sort(Comparator.comparingLong(SegmentFiles.Found::number));
    meter.begin(files.stream().mapToLong(SegmentFiles.Found::bytes).sum());
    scanAll(files);
    Epochs.Epoch epoch = state.epochs.enter();
    try {
      state.references.forEach((fingerprint, any) -> refer(fingerprint));
      state.index.removeUnshared(
          (location, marks) -> (marks & Index.DISOWNED) != 0, this::dropUnowned);
      duplicates.forEach(this::resolve);
      reopen();
    } finally {
      state.epochs.leave(epoch);
    }
    meter.end();
  }

  private void scanAll(List<SegmentFiles.Found> files) throws IOException {
    int threads = Math.max(1, Math.min(files.size(), state.config.coldReaders()));
    List<Future<?>> scans = new ArrayList<>();
    try (ExecutorService executor =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().name("quiver-recovery-", 0).daemon().factory())) {
      files.forEach(file -> scans.add(executor.submit(() -> scan(file))));
      for (Future<?> scan : scans) {
        scan.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading the segments", e);
    } catch (ExecutionException e) {
      throw new IOException("the segments could not be read", e.getCause());
    }
  }

  private void scan(SegmentFiles.Found found) {
    found.directory().numberSeen(found.number());
    try {
      new SegmentRecovery(state, meter, this::take).recover(found);
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("{} could not be read; its blobs are missing", found.path(), e);
    }
  }

  /** Takes a whole record that was not evicted. */
  private void take(Segment segment, long offset, RecordHeader header) {
    long location = Location.of(segment.id(), offset, header);
    long fingerprint = header.hash().fingerprint();
    if (!header.hasContent()) {
      state.references.add(fingerprint, location);
      return;
    }
    Lock lock = state.lockOf(fingerprint);
    lock.lock();
    try {
      int marks = header.state() == RecordHeader.DISOWNED ? Index.DISOWNED : 0;
      if (state.index.insert(fingerprint, marks, location)) {
        count(location, marks, 1);
        meter.blob();
      } else {
        takeAgain(new FoundRecord(segment, location, header), marks);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes a blob or a name found a second time: the process died while moving it. */
  private void takeAgain(FoundRecord record, int marks) {
    long fingerprint = record.header.hash().fingerprint();
    Index.Probe probe = new Index.Probe();
    Epochs.Epoch epoch = state.epochs.enter();
    try {
      state.index.find(fingerprint, probe);
    } finally {
      state.epochs.leave(epoch);
    }
    if (isContradicted(record, probe)) {
      takeContradicted(record, probe, marks);
      return;
    }
    if (probe.disowned() && marks == 0) {
      state.index.replace(fingerprint, probe.location, marks, record.location);
      count(probe.location, probe.marks, -1);
      count(record.location, marks, 1);
      catalog.mark(probe.location, RecordHeader.EVICTED);
      return;
    }
    boolean another = marks == 0 && state.spaceOf(probe.location) != record.segment.space();
    if (!another || !duplicates.offer(record)) {
      catalog.mark(record.location, RecordHeader.EVICTED);
    }
  }

  /**
   * Returns true if a name and a blob share a place in the index, or a name has two bindings. A
   * disk that refused to mark the older record, or lost the mark with its power, leaves that.
   */
  private boolean isContradicted(FoundRecord record, Index.Probe probe) {
    if (!record.header.isName() && !Location.isName(probe.location)) {
      return false;
    }
    try {
      @Nullable RecordHeader first =
          state.segments.of(probe.location).header(Location.offset(probe.location));
      return first == null
          || first.isName() != record.header.isName()
          || first.crc32c() != record.header.crc32c();
    } catch (IOException e) {
      state.counters.failures.increment();
      return true;
    }
  }

  /** Keeps a blob; drops names that contradict it or each other, because one of them is wrong. */
  private void takeContradicted(FoundRecord record, Index.Probe probe, int marks) {
    long fingerprint = record.header.hash().fingerprint();
    if (Location.isName(probe.location) && state.index.remove(fingerprint, probe.location)) {
      count(probe.location, probe.marks, -1);
      catalog.mark(probe.location, RecordHeader.EVICTED);
    }
    if (!record.header.isName() && state.index.insert(fingerprint, marks, record.location)) {
      count(record.location, marks, 1);
    } else {
      catalog.mark(record.location, RecordHeader.EVICTED);
    }
  }

  /** Adds a blob to its segment and its space, or takes it away again. */
  private void count(long location, int marks, int sign) {
    Segment segment = state.segments.of(location);
    segment.addLive(sign * Location.recordBytes(location));
    segment.space().charge(sign * Location.recordBytes(location));
    segment.space().countBlobs(marks == 0 ? sign : 0);
  }

  /** Makes the spaces of a blob's references its owners; the first of them told settles all. */
  private void refer(long fingerprint) {
    Index.Probe probe = new Index.Probe();
    boolean here = state.index.find(fingerprint, probe) != 0;
    if (here && probe.shared()) {
      return;
    }
    Set<StoredSpace> owners = new HashSet<>();
    for (long reference : state.references.of(fingerprint)) {
      StoredSpace space = state.spaceOf(reference);
      boolean isHome = here && space == state.spaceOf(probe.location);
      if (isHome && probe.disowned()) {
        probe.marks = 0;
        space.countBlobs(1);
        catalog.mark(probe.location, RecordHeader.LIVE);
      }
      if (here && !isHome && owners.add(space)) {
        state.segments.of(reference).addLive(RecordHeader.BYTES);
        catalog.count(reference);
      } else {
        state.references.remove(fingerprint, reference);
        catalog.mark(reference, RecordHeader.EVICTED);
      }
    }
    if (here) {
      // The space its bytes lie in was charged for them, whoever owns the blob.
      catalog.settle(fingerprint, probe, state.spaceOf(probe.location));
    }
  }

  private void dropUnowned(long location) {
    count(location, Index.DISOWNED, -1);
    catalog.mark(location, RecordHeader.EVICTED);
  }

  /** Resolves a blob found twice: one copy stays, the owner of the other gets a reference. */
  private void resolve(FoundRecord record) {
    if (record.header.state() == RecordHeader.LIVE) {
      catalog.addOwner(record.segment.space(), record.header);
    }
    catalog.mark(record.location, RecordHeader.EVICTED);
  }

  /** Reopens for each space the segments with the most free space for appending. */
  private void reopen() {
    Map<List<Object>, Integer> reopened = new HashMap<>();
    List<Segment> segments = new ArrayList<>(state.segments.all());
    segments.removeIf(segment -> segment.freeBytes() <= segment.directory().segmentBytes() / 4);
    segments.sort(Comparator.comparingLong(Segment::freeBytes).reversed());
    for (Segment segment : segments) {
      List<Object> place = List.of(segment.space(), segment.directory());
      if (reopened.merge(place, 1, Integer::sum) <= StoredSpace.MAX_OPEN_SEGMENTS) {
        try {
          segment.markSealed(false);
          segment.appendable(true);
          segment.space().appendTo(segment);
        } catch (IOException e) {
          state.counters.failures.increment();
        }
      }
    }
  }

  /** Sums the progress of the scanning threads and reports it a few times a second. */
  static final class RecoveryMeter {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RecoveryProgress progress;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong blobs = new AtomicLong();
    private final AtomicLong told = new AtomicLong(System.nanoTime());
    private volatile long total;

    RecoveryMeter(RecoveryProgress progress) {
      this.progress = progress;
    }

    void begin(long totalBytes) {
      total = totalBytes;
      progress.update(0, totalBytes, 0);
    }

    void blob() {
      blobs.incrementAndGet();
    }

    void passed(long bytes) {
      long now = done.addAndGet(bytes);
      long last = told.get();
      long time = System.nanoTime();
      if (time - last > INTERVAL_NANOS && told.compareAndSet(last, time)) {
        progress.update(Math.min(now, total), total, blobs.get());
      }
    }

    void end() {
      progress.update(total, total, blobs.get());
    }
  }
}
