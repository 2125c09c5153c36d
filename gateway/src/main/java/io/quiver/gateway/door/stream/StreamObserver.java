package io.quiver.gateway.door.stream;

import io.quiver.client.link.DoorStreams;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.StreamPlacements;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.core.stream.tree.AccessStreams;
import io.quiver.gateway.door.block.BlockPlacing;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.gateway.door.block.ReadWatcher;
import io.quiver.gateway.door.cache.KnownItems;
import io.quiver.gateway.door.stream.StreamRecords.Event;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recognises the streams of one door off the read path. Readers and listings leave their {@link
 * StreamRecords records}. One thread learns from them and has done what they advise.
 */
public final class StreamObserver
    implements ReadWatcher, BlockPlacing, DoorStreams, AdviceEnds, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamObserver.class);
  private static final int MOST_SUMMARIES = 64;
  private static final int MOST_ADVICES = 32;

  /** Records learned from before others may look at the streams. */
  private static final int MOST_AT_ONCE = 256;

  private static final Duration LONGEST_LOCKING = Duration.ofMillis(500);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);

  private final String storeId;
  private final LongSupplier nanoTime;
  private final StreamRecords events;
  private final LongAdder records = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final PrefetchCounts prefetch = new PrefetchCounts();
  private final ReentrantLock lock = new ReentrantLock();
  // Both guarded by the lock.
  private final AccessStreams streams;
  private final @Nullable DatasetStreams dataset;
  private final ListedFolders folders = new ListedFolders();
  private volatile StreamPlacements placements = StreamPlacements.NONE;
  private volatile @Nullable List<StreamVerdict> told;
  private volatile Sizes sizes = new Sizes(0, 0, 0);
  private volatile @Nullable AdviceTaker taker;
  private final Thread thread;

  /** Does what is advised. */
  @FunctionalInterface
  public interface AdviceTaker {
    /** Returns how many blocks could be brought into the cache for no reader now. */
    default int fillRoom() {
      return 0;
    }

    /**
     * Begins to read ahead. Does not block.
     *
     * @return the end of the advice as far as it is known: what was begun counts as fetched
     */
    Outcome take(PrefetchAdvice advice);
  }

  /** The memory of recognition after the latest reads that were learned from. */
  private record Sizes(int nodes, long treeBytes, long listingBytes) {}

  /**
   * Begins to watch.
   *
   * @param storeId the store, as labels of streams show it
   * @param items the objects whose hashes a digest tells; empty without one
   * @param streams learns; nobody else uses it
   */
  public StreamObserver(
      String storeId, Optional<KnownItems> items, AccessStreams streams, LongSupplier nanoTime) {
    this.storeId = storeId;
    this.dataset = items.map(DatasetStreams::new).orElse(null);
    this.streams = streams;
    this.nanoTime = nanoTime;
    this.thread = Thread.ofPlatform().daemon().name("quiver-door-streams").unstarted(this::run);
    this.events = new StreamRecords(thread);
  }

  /** Starts to learn and to have done what is advised. */
  public void start(AdviceTaker advised) {
    taker = advised;
    thread.start();
  }

  @Override
  public void read(ObjectBlocks file, int index, long reader, boolean fromStore, long tookNanos) {
    if (!file.shared()) {
      // A block without a name can be neither kept for others nor read ahead.
      return;
    }
    BlockAccess access =
        new BlockAccess(
            file.object().name(),
            index,
            file.count(),
            file.length(index),
            reader,
            nanoTime.getAsLong(),
            fromStore,
            tookNanos);
    events.offer(new Event.Read(file, access));
  }

  /** Learns what a page of a listing shows. */
  public void listed(ListingRequest request, ListingPage page) {
    events.offer(new Event.Listed(request, page));
  }

  @Override
  public void failed(PrefetchAdvice advice) {
    events.offer(new Event.Failed(advice));
  }

  @Override
  public void filled() {
    events.wake();
  }

  private void run() {
    int idle = 0;
    while (!events.isClosed()) {
      boolean busy = false;
      try {
        busy = learn();
        busy |= follow();
      } catch (RuntimeException e) {
        failed("a record of reads could not be learned from", e);
      }
      idle = busy ? 0 : idle + 1;
      events.pause(idle);
    }
  }

  /** Logs the first failure, and ever fewer of those that follow: one cause fails many records. */
  private void failed(String what, RuntimeException failure) {
    failures.increment();
    if (Long.bitCount(failures.sum()) == 1) {
      LOG.error("{} ({} failures so far)", what, failures.sum(), failure);
    }
  }

  /** Learns from what waits, up to a bound; returns true if anything did. */
  private boolean learn() {
    @Nullable Event event = events.poll();
    if (event == null) {
      return false;
    }
    int reads = 0;
    lock.lock();
    try {
      followTold();
      for (int taken = 1; event != null; taken++) {
        reads += event instanceof Event.Read ? 1 : 0;
        note(event);
        event = taken < MOST_AT_ONCE ? events.poll() : null;
      }
    } finally {
      placements = streams.placements();
      sizes = new Sizes(streams.nodes(), streams.treeBytes(), streams.listingBytes());
      records.add(reads);
      lock.unlock();
    }
    return true;
  }

  private void note(Event event) {
    switch (event) {
      case Event.Read(ObjectBlocks file, BlockAccess access) -> {
        if (dataset != null) {
          dataset.read(file);
        }
        prefetch.read(access.path(), access.block());
        streams.read(access);
      }
      case Event.Listed listed ->
          folders.divide(listed.request(), listed.page()).forEach(streams::listed);
      case Event.Failed(PrefetchAdvice advice) -> {
        prefetch.ended(advice, Outcome.FAILED);
        streams.ended(advice, Outcome.FAILED);
      }
    }
  }

  /** Has done what is advised now; returns true if anything was. */
  private boolean follow() {
    @Nullable AdviceTaker advised = taker;
    if (advised == null) {
      return false;
    }
    int fills = advised.fillRoom();
    List<PrefetchAdvice> advice;
    lock.lock();
    try {
      advice = streams.advise(MOST_ADVICES, fills, nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
    for (PrefetchAdvice each : advice) {
      Outcome outcome = take(advised, each);
      prefetch.ended(each, outcome);
      lock.lock();
      try {
        streams.ended(each, outcome);
      } finally {
        lock.unlock();
      }
    }
    return !advice.isEmpty();
  }

  private Outcome take(AdviceTaker advised, PrefetchAdvice advice) {
    try {
      return advised.take(advice);
    } catch (RuntimeException e) {
      failed("an advice to read ahead could not be followed", e);
      return Outcome.FAILED;
    }
  }

  @Override
  public List<StreamSummary> summaries() {
    if (!locked()) {
      return List.of();
    }
    try {
      return streams.summaries(MOST_SUMMARIES, nanoTime.getAsLong()).stream()
          .map(this::ofDataset)
          .map(each -> each.labelled(label(each.label())))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private StreamSummary ofDataset(StreamSummary summary) {
    return dataset == null ? summary : summary.ofDataset(dataset.of(summary.label()));
  }

  /** Returns a stream's path as people know it. */
  private String label(String path) {
    String root = path.isEmpty() ? storeId : storeId.replaceAll("/+$", "") + "/";
    return StreamSummary.label(root + path);
  }

  @Override
  public void follow(List<StreamVerdict> verdicts, List<DatasetPlan> datasets) {
    if (dataset != null) {
      dataset.follow(datasets);
    }
    told = verdicts;
    if (locked()) {
      try {
        followTold();
      } catch (RuntimeException e) {
        failed("a plan's word about streams could not be followed", e);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Follows the latest verdicts, if there are new ones; the caller has the lock. */
  private void followTold() {
    @Nullable List<StreamVerdict> latest = told;
    if (latest != null) {
      told = null;
      streams.follow(latest);
      placements = streams.placements();
    }
  }

  /**
   * Waits a moment for the lock. Who reports to the manager goes on without it: a defect that keeps
   * the other thread busy must not silence the door.
   */
  private boolean locked() {
    try {
      return lock.tryLock(LONGEST_LOCKING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public BlockPlace of(ObjectBlocks file) {
    @Nullable BlockPlace ofItem = dataset == null ? null : dataset.place(file);
    return ofItem == null ? placements.of(file.object().name()) : ofItem;
  }

  /** Returns the counts of this observer. Waits for nothing. */
  public StreamCounts counts() {
    StreamCounts.Prefetch ahead =
        new StreamCounts.Prefetch(
            prefetch.of(Outcome.FETCHED) - prefetch.fills(),
            prefetch.used(),
            prefetch.fills(),
            prefetch.of(Outcome.HELD),
            prefetch.of(Outcome.FAILED),
            prefetch.of(Outcome.DROPPED));
    Sizes now = sizes;
    return new StreamCounts(
        records.sum(),
        events.dropped(),
        failures.sum(),
        now.nodes,
        now.treeBytes,
        now.listingBytes,
        ahead);
  }

  @Override
  public void close() {
    events.close();
    if (taker == null) {
      return;
    }
    try {
      thread.join(LONGEST_GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
