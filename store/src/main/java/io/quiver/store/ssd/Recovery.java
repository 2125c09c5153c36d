package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the index from the record headers in the segment files at start.
 *
 * <p>Segments are scanned in parallel. Records that depend on more than one segment come after:
 * references to blobs in other spaces, blobs disowned by their home space, and blobs found twice
 * because the process died while moving them.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final StoreState state;
  private final BlobCatalog catalog;
  private final RecoveryMeter meter;
  private final Queue<FoundRecord> references = new ConcurrentLinkedQueue<>();
  private final Queue<FoundRecord> disowned = new ConcurrentLinkedQueue<>();
  private final Queue<FoundRecord> duplicates = new ConcurrentLinkedQueue<>();

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
    meter.begin(files.stream().mapToLong(SegmentFiles.Found::bytes).sum());
    scanAll(files);
    Epochs.Epoch epoch = state.epochs.enter();
    try {
      disowned.forEach(this::disown);
      references.forEach(this::refer);
      disowned.forEach(this::dropUnowned);
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
    Epochs.Epoch epoch = state.epochs.enter();
    try {
      new SegmentRecovery(state, meter, this::take).recover(found);
    } catch (IOException e) {
      state.counters.failures.increment();
      LOG.warn("{} could not be read; its blobs are missing", found.path(), e);
    } finally {
      state.epochs.leave(epoch);
    }
  }

  /** Takes a whole record that was not evicted. */
  private void take(Segment segment, long offset, RecordHeader header) {
    long location = Location.of(segment.id(), offset, header.recordBytes());
    FoundRecord record = new FoundRecord(segment, location, header);
    if (!header.isData()) {
      references.add(record);
      return;
    }
    Lock lock = state.lockOf(header.hash());
    lock.lock();
    try {
      if (!state.index.insert(header.hash(), 0, location)) {
        duplicates.add(record);
        return;
      }
      segment.addLive(header.recordBytes());
      segment.space().charge(header.recordBytes());
      segment.space().countBlobs(1);
      meter.blob();
    } finally {
      lock.unlock();
    }
    if (header.state() == RecordHeader.DISOWNED) {
      disowned.add(record);
    }
  }

  private void disown(FoundRecord record) {
    BlobOwners.Shared shared = state.owners.of(record.header.hash(), record.segment.space());
    shared.homeOwns = false;
    record.segment.space().countBlobs(-1);
  }

  private void refer(FoundRecord record) {
    ContentHash hash = record.header.hash();
    StoredSpace space = record.segment.space();
    Index.Probe probe = new Index.Probe();
    if (state.index.find(hash, probe) == 0) {
      catalog.mark(record.location, RecordHeader.EVICTED);
      return;
    }
    StoredSpace home = state.segments.of(probe.location).space();
    BlobOwners.Shared shared = state.owners.find(hash);
    boolean known = shared != null && shared.references.containsKey(space.id());
    boolean isHome = home == space;
    if (known || (isHome && (shared == null || shared.homeOwns))) {
      catalog.mark(record.location, RecordHeader.EVICTED);
      return;
    }
    record.segment.addLive(RecordHeader.BYTES);
    catalog.refer(hash, home, space, probe, record.location);
  }

  private void dropUnowned(FoundRecord record) {
    ContentHash hash = record.header.hash();
    Index.Probe probe = new Index.Probe();
    BlobOwners.Shared shared = state.owners.find(hash);
    if (shared != null && state.index.find(hash, probe) == record.location) {
      catalog.settle(hash, record.segment.space(), shared, probe);
    }
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
