package io.quiver.gateway.door.stream;

import io.quiver.client.link.DoorStreams;
import io.quiver.core.stream.AccessStreams;
import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.StreamPlacements;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.gateway.door.block.BlockPlacing;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.gateway.door.block.ReadWatcher;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recognises the streams of one door off the read path. Readers and listings leave their records in
 * a bounded queue; what does not fit is dropped and counted. One thread takes them out, learns from
 * them and has done what they advise.
 */
public final class StreamObserver implements ReadWatcher, BlockPlacing, DoorStreams, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamObserver.class);
  private static final int MOST_RECORDS = 8192;
  private static final int MOST_LISTED_NAMES = 200_000;
  private static final int MOST_SUMMARIES = 64;
  private static final int MOST_ADVICES = 32;
  private static final Duration IDLE = Duration.ofMillis(200);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);

  private final String storeId;
  private final LongSupplier nanoTime;
  private final ArrayBlockingQueue<Event> events = new ArrayBlockingQueue<>(MOST_RECORDS);
  private final AtomicInteger listedNames = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder records = new LongAdder();
  // Guarded by itself.
  private final AccessStreams streams;
  private volatile StreamPlacements placements = StreamPlacements.NONE;
  private volatile @Nullable AdviceTaker taker;
  private volatile boolean closed;
  private final Thread thread;

  /** Does what is advised. */
  @FunctionalInterface
  public interface AdviceTaker {
    /**
     * Begins to read ahead. Does not block.
     *
     * @return the end of the advice as far as it is known: what was begun counts as fetched
     */
    PrefetchAdvice.Outcome take(PrefetchAdvice advice);
  }

  private sealed interface Event {
    record Read(BlockAccess access) implements Event {}

    record Listed(ListingRequest request, ListingPage page) implements Event {
      int names() {
        return page.objects().size() + page.groups().size();
      }
    }

    record Failed(PrefetchAdvice advice) implements Event {}
  }

  /**
   * Begins to watch.
   *
   * @param storeId the store, as labels of streams show it
   * @param streams learns; nobody else uses it
   */
  public StreamObserver(String storeId, AccessStreams streams, LongSupplier nanoTime) {
    this.storeId = storeId;
    this.streams = streams;
    this.nanoTime = nanoTime;
    this.thread = Thread.ofPlatform().daemon().name("quiver-door-streams").unstarted(this::run);
  }

  /** Starts to learn and to have done what is advised. */
  public void start(AdviceTaker advised) {
    taker = advised;
    thread.start();
  }

  @Override
  public void read(ObjectBlocks file, int index, long reader, boolean fromStore, long tookNanos) {
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
    offer(new Event.Read(access));
  }

  /** Learns what a page of a listing shows. */
  public void listed(ListingRequest request, ListingPage page) {
    Event.Listed event = new Event.Listed(request, page);
    if (listedNames.addAndGet(event.names()) > MOST_LISTED_NAMES) {
      dropped.increment();
      listedNames.addAndGet(-event.names());
    } else if (!offer(event)) {
      listedNames.addAndGet(-event.names());
    }
  }

  /** Hears that an advice failed after it was begun. */
  public void failed(PrefetchAdvice advice) {
    offer(new Event.Failed(advice));
  }

  private boolean offer(Event event) {
    boolean taken = !closed && events.offer(event);
    if (!taken) {
      dropped.increment();
    }
    return taken;
  }

  private void run() {
    while (!closed) {
      try {
        @Nullable Event event = events.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
        learn(event);
        follow();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("a record of reads could not be learned from", e);
      }
    }
  }

  private void learn(@Nullable Event first) {
    @Nullable Event event = first;
    synchronized (streams) {
      for (int taken = 0; event != null && taken < MOST_ADVICES; taken++) {
        note(event);
        event = taken + 1 < MOST_ADVICES ? events.poll() : null;
      }
      placements = streams.placements();
    }
  }

  private void note(Event event) {
    switch (event) {
      case Event.Read(BlockAccess access) -> {
        records.increment();
        streams.read(access);
      }
      case Event.Listed listed -> {
        listedNames.addAndGet(-listed.names());
        ListedFolders.of(listed.request(), listed.page()).forEach(streams::listed);
      }
      case Event.Failed(PrefetchAdvice advice) ->
          streams.ended(advice, PrefetchAdvice.Outcome.FAILED);
    }
  }

  /** Has done what is advised now. */
  private void follow() {
    @Nullable AdviceTaker advised = taker;
    if (advised == null) {
      return;
    }
    List<PrefetchAdvice> advices;
    synchronized (streams) {
      advices = streams.advise(MOST_ADVICES, nanoTime.getAsLong());
    }
    for (PrefetchAdvice advice : advices) {
      PrefetchAdvice.Outcome outcome = advised.take(advice);
      synchronized (streams) {
        streams.ended(advice, outcome);
      }
    }
  }

  @Override
  public List<StreamSummary> summaries() {
    List<StreamSummary> summaries;
    synchronized (streams) {
      summaries = streams.summaries(MOST_SUMMARIES, nanoTime.getAsLong());
    }
    return summaries.stream().map(each -> each.labelled(label(each.label()))).toList();
  }

  private String label(String path) {
    return path.isEmpty() ? storeId : storeId.replaceAll("/+$", "") + "/" + path;
  }

  @Override
  public void follow(List<StreamVerdict> told) {
    synchronized (streams) {
      streams.follow(told);
      placements = streams.placements();
    }
  }

  @Override
  public BlockPlace of(String path) {
    return placements.of(path);
  }

  /** Returns the counts of this observer. */
  public Counts counts() {
    synchronized (streams) {
      return new Counts(
          records.sum(),
          dropped.sum(),
          streams.nodes(),
          streams.treeBytes(),
          streams.listingBytes());
    }
  }

  /**
   * Counts of an observer.
   *
   * @param records reads that were learned from
   * @param dropped records that found the queue full
   * @param nodes nodes of the tree of streams
   * @param treeBytes bytes of the tree
   * @param listingBytes bytes of the listings it knows
   */
  public record Counts(long records, long dropped, int nodes, long treeBytes, long listingBytes) {}

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(LONGEST_GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
