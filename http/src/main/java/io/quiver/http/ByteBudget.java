package io.quiver.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the bytes that requests hold at once, and what one caller holds of them to a half. A
 * request that finds the budget used up waits in line, for a bounded time, and is then told to come
 * back later.
 *
 * <p>Nobody waits with bytes in hand: a share grows at once or not at all. Else requests could each
 * hold a part and wait for what the others hold.
 */
public final class ByteBudget {
  private static final int UNIT_SHIFT = 10;

  private final long totalUnits;
  private final long callerUnits;
  private final Duration wait;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock, all of them.
  private final Queue<Waiting> line = new ArrayDeque<>();
  private final Map<String, Long> heldByCaller = new HashMap<>();
  private long heldUnits;

  /** A request that waits for its share. */
  private static final class Waiting {
    private final String caller;
    private final long units;
    private final Condition turn;
    private boolean served;

    Waiting(String caller, long units, Condition turn) {
      this.caller = caller;
      this.units = units;
      this.turn = turn;
    }
  }

  /** Makes a budget of this many bytes, for which a request waits no longer than this. */
  public ByteBudget(long bytes, Duration wait) {
    this.totalUnits = Math.max(1, bytes >> UNIT_SHIFT);
    this.callerUnits = Math.ceilDiv(totalUnits, 2);
    this.wait = wait;
  }

  /**
   * Takes a share of the budget, rounded up; whoever takes it closes it. More than one caller may
   * have is cut to that.
   */
  public Share take(String caller, long bytes) throws Refusal {
    long wanted = Math.min(callerUnits, units(bytes));
    lock.lock();
    try {
      if (!line.isEmpty() || !fits(caller, wanted)) {
        await(new Waiting(caller, wanted, lock.newCondition()), bytes);
      } else {
        give(caller, wanted);
      }
      return new Share(caller, wanted);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes held now, in whole units. */
  public long heldBytes() {
    lock.lock();
    try {
      return heldUnits << UNIT_SHIFT;
    } finally {
      lock.unlock();
    }
  }

  /** Returns true if a request waits for bytes that this caller may be holding. */
  public boolean contended(String caller) {
    lock.lock();
    try {
      return line.stream()
          .anyMatch(next -> next.caller.equals(caller) || heldUnits + next.units > totalUnits);
    } finally {
      lock.unlock();
    }
  }

  private void await(Waiting waiting, long bytes) throws Refusal {
    line.add(waiting);
    serveLine();
    try {
      long left = wait.toNanos();
      while (!waiting.served && left > 0) {
        left = waiting.turn.awaitNanos(left);
      }
      if (!waiting.served) {
        throw usedUp(bytes);
      }
    } catch (InterruptedException e) {
      if (waiting.served) {
        release(waiting.caller, waiting.units);
      }
      Thread.currentThread().interrupt();
      throw Refusal.busy("the server is shutting down").closing();
    } finally {
      if (line.remove(waiting)) {
        serveLine();
      }
    }
  }

  private Refusal usedUp(long bytes) {
    return Refusal.busy(
        "the budget had no %d more bytes in flight within %d ms; the server allows %d in total and %d to one caller"
            .formatted(
                bytes, wait.toMillis(), totalUnits << UNIT_SHIFT, callerUnits << UNIT_SHIFT));
  }

  /**
   * Serves those in line, in order. Who has as much as a caller may have holds nobody up; who waits
   * for others does, so that a large share comes about at all.
   */
  private void serveLine() {
    Iterator<Waiting> waiting = line.iterator();
    while (waiting.hasNext()) {
      Waiting next = waiting.next();
      if (fits(next.caller, next.units)) {
        waiting.remove();
        give(next.caller, next.units);
        next.served = true;
        next.turn.signal();
      } else if (heldUnits + next.units > totalUnits) {
        return;
      }
    }
  }

  private boolean fits(String caller, long units) {
    return heldUnits + units <= totalUnits
        && heldByCaller.getOrDefault(caller, 0L) + units <= callerUnits;
  }

  private void give(String caller, long units) {
    heldUnits += units;
    heldByCaller.merge(caller, units, Long::sum);
  }

  private void release(String caller, long units) {
    heldUnits -= units;
    heldByCaller.computeIfPresent(caller, (_, held) -> held == units ? null : held - units);
    serveLine();
  }

  private static long units(long bytes) {
    return Math.ceilDiv(bytes, 1L << UNIT_SHIFT);
  }

  /** Holds a part of the budget. Used by one thread at a time. */
  public final class Share implements AutoCloseable {
    private final String caller;
    private long held;

    private Share(String caller, long held) {
      this.caller = caller;
      this.held = held;
    }

    /** Shrinks to this many bytes; a share that is smaller stays as it is. */
    public void shrink(long bytes) {
      lock.lock();
      try {
        long wanted = Math.min(held, units(bytes));
        release(caller, held - wanted);
        held = wanted;
      } finally {
        lock.unlock();
      }
    }

    /**
     * Grows to this many bytes without waiting.
     *
     * @throws Refusal if they are not there now; the share stays as it is
     */
    public void grow(long bytes) throws Refusal {
      lock.lock();
      try {
        long more = Math.min(callerUnits, units(bytes)) - held;
        if (more > 0) {
          if (!fits(caller, more)) {
            throw usedUp(bytes);
          }
          give(caller, more);
          held += more;
        }
      } finally {
        lock.unlock();
      }
    }

    /** Returns the bytes held, in whole units. */
    public long bytes() {
      return held << UNIT_SHIFT;
    }

    /** Gives everything back; closing twice is harmless. */
    @Override
    public void close() {
      shrink(0);
    }
  }
}
