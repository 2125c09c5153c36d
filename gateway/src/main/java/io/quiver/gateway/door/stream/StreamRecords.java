package io.quiver.gateway.door.stream;

import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes records of many threads to the one that learns from them. Nobody who offers one waits: what
 * does not fit is dropped and counted.
 */
final class StreamRecords {
  private static final int MOST_RECORDS = 8192;
  private static final int MOST_LISTED_NAMES = 200_000;

  /** While programs read, records wait for so long: waking a thread for each would cost more. */
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** After so many naps without a record the thread rests until it is woken. */
  private static final int NAPS = 20;

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final ArrayBlockingQueue<Event> events = new ArrayBlockingQueue<>(MOST_RECORDS);
  private final AtomicInteger listedNames = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private final Thread learner;
  private volatile boolean closed;
  private volatile boolean resting;

  /** Something to learn from. */
  sealed interface Event {
    /** A read of a block. */
    record Read(ObjectBlocks file, BlockAccess access) implements Event {}

    /** A page of a listing. */
    record Listed(ListingRequest request, ListingPage page) implements Event {
      int names() {
        return page.objects().size() + page.groups().size();
      }
    }

    /** The end of an advice that was begun. */
    record Failed(PrefetchAdvice advice) implements Event {}
  }

  /**
   * Begins with no records.
   *
   * @param learner the thread that polls and pauses
   */
  StreamRecords(Thread learner) {
    this.learner = learner;
  }

  /** Adds a record, unless there are too many. */
  void offer(Event event) {
    int names = event instanceof Event.Listed listed ? listed.names() : 0;
    boolean fits = names == 0 || listedNames.addAndGet(names) <= MOST_LISTED_NAMES;
    if (fits && !closed && events.offer(event)) {
      wake();
    } else {
      dropped.increment();
      listedNames.addAndGet(-names);
    }
  }

  /** Returns the oldest record, which is here no more; null if there is none. */
  @Nullable Event poll() {
    @Nullable Event event = events.poll();
    if (event instanceof Event.Listed listed) {
      listedNames.addAndGet(-listed.names());
    }
    return event;
  }

  /** Returns how many records were dropped. */
  long dropped() {
    return dropped.sum();
  }

  /**
   * Pauses the learner until there is something to do, or for a short time.
   *
   * @param idle how often in a row there was nothing
   */
  void pause(int idle) {
    if (!events.isEmpty()) {
      return;
    }
    if (idle <= NAPS) {
      LockSupport.parkNanos(NAP_NANOS);
      return;
    }
    resting = true;
    if (events.isEmpty() && !closed) {
      LockSupport.parkNanos(REST_NANOS);
    }
    resting = false;
  }

  /** Wakes the learner if it rests. */
  void wake() {
    if (resting) {
      LockSupport.unpark(learner);
    }
  }

  /** Takes no record any more. */
  void close() {
    closed = true;
    LockSupport.unpark(learner);
  }

  boolean isClosed() {
    return closed;
  }
}
