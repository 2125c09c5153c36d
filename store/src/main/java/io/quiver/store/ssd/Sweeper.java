package io.quiver.store.ssd;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks the operating system in the background which pages of the segments in use are in memory.
 *
 * <p>A segment is swept when somebody reads from it and its last sweep is older than a second;
 * until then readers ask for each blob. The sweeper rests four times as long as it works.
 */
final class Sweeper implements AutoCloseable {
  /** The time for which the result of a sweep is believed. */
  static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int PAGES_PER_CALL = 4096;
  private static final int REST_FACTOR = 4;
  private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long STOP_MILLIS = 5_000;

  private final StoreState state;
  // Each segment is queued at most once, so the number of segments bounds it.
  private final LinkedBlockingQueue<Segment> asked = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean stopped;

  Sweeper(StoreState state) {
    this.state = state;
    thread = Thread.ofPlatform().name("quiver-sweeper").daemon().start(this::run);
  }

  /** Asks for a sweep; the caller is the one that {@link Segment#askForSweep} chose. */
  void ask(Segment segment) {
    asked.add(segment);
  }

  private void run() {
    byte[] answer = new byte[PAGES_PER_CALL];
    while (!stopped) {
      try {
        Segment segment = asked.take();
        long begin = System.nanoTime();
        sweep(segment, answer);
        long rest = REST_FACTOR * (System.nanoTime() - begin);
        LockSupport.parkNanos(Math.min(rest, MAX_REST_NANOS));
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Corrects the residency of a segment's pages. */
  void sweep(Segment segment, byte[] answer) {
    Epochs.Epoch epoch = state.epochs.enter();
    try {
      if (segment.isLeaving()) {
        return;
      }
      long now = state.nanoTime.getAsLong();
      long pages = PageResidency.pages(segment.tail());
      boolean left = false;
      for (long page = 0; page < pages; page += PAGES_PER_CALL) {
        int count = (int) Math.min(PAGES_PER_CALL, pages - page);
        left |= sweep(segment, page, count, answer);
      }
      segment.swept(now, left);
    } finally {
      state.epochs.leave(epoch);
    }
  }

  private static boolean sweep(Segment segment, long firstPage, int count, byte[] answer) {
    long address = segment.address() + firstPage * Libc.PAGE_BYTES;
    boolean known = Libc.inMemory(address, (long) count * Libc.PAGE_BYTES, answer);
    boolean left = false;
    for (int i = 0; i < count; i += Long.SIZE) {
      long bits = 0;
      for (int j = i; known && j < Math.min(count, i + Long.SIZE); j++) {
        bits |= (long) (answer[j] & 1) << (j - i);
      }
      left |= segment.residency().correct(firstPage + i, bits);
    }
    return left;
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
