package io.quiver.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the bytes that requests hold at once. A request that finds the budget used up waits in
 * line, for a bounded time, and is then told to come back later.
 */
public final class ByteBudget {
  private static final int UNIT_SHIFT = 10;

  private final long totalUnits;
  private final Duration wait;
  private final Semaphore units;

  /** Makes a budget of this many bytes, for which a request waits no longer than this. */
  public ByteBudget(long bytes, Duration wait) {
    this.totalUnits = Math.min(Integer.MAX_VALUE, Math.max(1, bytes >> UNIT_SHIFT));
    this.wait = wait;
    this.units = new Semaphore((int) totalUnits, true);
  }

  /** Takes a share of the budget, rounded up; the caller closes it. */
  public Share take(long bytes) throws Refusal {
    int wanted = (int) Math.min(totalUnits, units(bytes));
    acquire(wanted, bytes);
    return new Share(wanted);
  }

  /** Returns the bytes held now, in whole units. */
  public long heldBytes() {
    return (totalUnits - units.availablePermits()) << UNIT_SHIFT;
  }

  /** Returns true if a request waits for a share. */
  public boolean contended() {
    return units.hasQueuedThreads();
  }

  private void acquire(int wanted, long bytes) throws Refusal {
    try {
      if (!units.tryAcquire(wanted, wait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw Refusal.busy(
            "the budget had no "
                + bytes
                + " more bytes in flight within "
                + wait.toMillis()
                + " ms; the server allows "
                + (totalUnits << UNIT_SHIFT)
                + " in total");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.busy("the server is shutting down").closing();
    }
  }

  private static long units(long bytes) {
    return Math.ceilDiv(bytes, 1L << UNIT_SHIFT);
  }

  /** Holds a part of the budget. Used by one thread at a time. */
  public final class Share implements AutoCloseable {
    private int held;

    private Share(int held) {
      this.held = held;
    }

    /** Grows or shrinks to this many bytes; growing waits in line as {@link #take} does. */
    public void resize(long bytes) throws Refusal {
      int wanted = (int) Math.min(totalUnits, units(bytes));
      if (wanted > held) {
        acquire(wanted - held, bytes);
      } else if (wanted < held) {
        units.release(held - wanted);
      }
      held = wanted;
    }

    /** Gives everything back; closing twice is harmless. */
    @Override
    public void close() {
      units.release(held);
      held = 0;
    }
  }
}
