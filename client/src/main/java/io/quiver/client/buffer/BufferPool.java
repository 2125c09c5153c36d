package io.quiver.client.buffer;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends direct buffers up to a budget and keeps them for reuse, the last used first, because its
 * pages are warm. A forgotten lease is noticed: its bytes are counted as free again, its memory is
 * left to the garbage collector (somebody may still hold a slice), and the log says so, once.
 */
public final class BufferPool {
  private static final Logger LOG = LoggerFactory.getLogger(BufferPool.class);

  // The longest array or buffer that every platform can make.
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private final long budgetBytes;
  private final boolean paranoid;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private final TreeMap<Integer, ArrayDeque<Memory>> idle = new TreeMap<>();
  private final LeakWatch watch;
  private long lentBytes;
  private long idleBytes;
  private long forgotten;
  private boolean closed;

  /** Creates a pool that never lends and keeps more than this many bytes. */
  public BufferPool(long budgetBytes, boolean paranoid) {
    this.budgetBytes = budgetBytes;
    this.paranoid = paranoid;
    this.watch = new LeakWatch(paranoid);
  }

  /** Returns the bytes that a buffer of this length takes of the budget. */
  public static int capacity(int bytes) {
    return SizeClass.capacity(bytes);
  }

  /** Returns true if a buffer of this length could be lent when nothing else is. */
  public boolean fits(long bytes) {
    return bytes <= MOST_BYTES && SizeClass.capacity((int) bytes) <= budgetBytes;
  }

  /**
   * Lends a buffer, waiting for others to come back if need be.
   *
   * @return the lease, or null when the budget was full for too long
   */
  public @Nullable Lease lend(int bytes, long waitNanos) throws InterruptedException {
    int capacity = SizeClass.capacity(bytes);
    Memory memory = reserve(capacity, waitNanos);
    if (memory == null) {
      return null;
    }
    Lease lease = new Lease(this, memory, bytes);
    lock.lock();
    try {
      watch.lent(lease);
    } finally {
      lock.unlock();
    }
    return lease;
  }

  private @Nullable Memory reserve(int capacity, long waitNanos) throws InterruptedException {
    long left = waitNanos;
    lock.lockInterruptibly();
    try {
      collectForgotten();
      while (!closed) {
        Memory kept = takeIdle(capacity);
        if (kept != null) {
          return kept;
        }
        if (makeRoom(capacity)) {
          lentBytes += capacity;
          break;
        }
        if (left <= 0) {
          return null;
        }
        left = freed.awaitNanos(left);
        collectForgotten();
      }
      if (closed) {
        return null;
      }
    } finally {
      lock.unlock();
    }
    return allocate(capacity);
  }

  /** Takes an idle buffer that fits without wasting more than half of it. */
  private @Nullable Memory takeIdle(int capacity) {
    Map.Entry<Integer, ArrayDeque<Memory>> entry = idle.ceilingEntry(capacity);
    if (entry == null || entry.getKey() > 2L * capacity) {
      return null;
    }
    Memory memory = removeIdle(entry);
    lentBytes += memory.capacity();
    return memory;
  }

  private boolean makeRoom(int capacity) {
    if (lentBytes + capacity > budgetBytes) {
      return false;
    }
    while (lentBytes + idleBytes + capacity > budgetBytes) {
      removeIdle(idle.lastEntry()).free();
    }
    return true;
  }

  private Memory removeIdle(Map.Entry<Integer, ArrayDeque<Memory>> entry) {
    Memory memory = entry.getValue().removeFirst();
    if (entry.getValue().isEmpty()) {
      idle.remove(entry.getKey());
    }
    idleBytes -= memory.capacity();
    return memory;
  }

  private @Nullable Memory allocate(int capacity) {
    try {
      return Memory.allocate(capacity, paranoid);
    } catch (OutOfMemoryError e) {
      LOG.error(
          "no direct memory for an answer of {} bytes; raise -XX:MaxDirectMemorySize or lower the"
              + " client's buffer bytes ({})",
          capacity,
          budgetBytes,
          e);
      unreserve(capacity);
      return null;
    }
  }

  private void unreserve(int capacity) {
    lock.lock();
    try {
      lentBytes -= capacity;
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void giveBack(Lease lease) {
    Memory memory = lease.memory();
    lock.lock();
    try {
      watch.returned(lease);
      lentBytes -= memory.capacity();
      if (memory.reusable() && !closed) {
        idle.computeIfAbsent(memory.capacity(), size -> new ArrayDeque<>()).addFirst(memory);
        idleBytes += memory.capacity();
      } else {
        memory.free();
      }
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Notices leases that nobody can close any more. */
  public void checkForgotten() {
    lock.lock();
    try {
      collectForgotten();
    } finally {
      lock.unlock();
    }
  }

  private void collectForgotten() {
    for (int capacity = watch.nextForgotten(); capacity > 0; capacity = watch.nextForgotten()) {
      lentBytes -= capacity;
      freed.signalAll();
      if (forgotten++ == 0) {
        LOG.warn(
            "an answer of up to {} bytes was never closed; close every answer, for example with"
                + " try-with-resources (said once)",
            capacity);
      }
    }
  }

  /** Returns the bytes lent now. */
  public long lentBytes() {
    lock.lock();
    try {
      return lentBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes kept for reuse now. */
  long idleBytes() {
    lock.lock();
    try {
      return idleBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of leases forgotten so far. */
  public long forgotten() {
    lock.lock();
    try {
      collectForgotten();
      return forgotten;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses all further leases and ends the waits for one. */
  public void stop() {
    lock.lock();
    try {
      closed = true;
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops lending and frees the idle buffers. A paranoid pool complains about leases that are still
   * out.
   */
  public void close() {
    lock.lock();
    try {
      stop();
      while (!idle.isEmpty()) {
        removeIdle(idle.firstEntry()).free();
      }
      if (paranoid && watch.outstanding() > 0) {
        throw leak();
      }
    } finally {
      lock.unlock();
    }
  }

  private IllegalStateException leak() {
    IllegalStateException leak =
        new IllegalStateException(
            watch.outstanding() + " answers were not closed before their client");
    watch.origins().forEach(leak::addSuppressed);
    return leak;
  }

  /**
   * Rounds buffer capacities: four steps for every doubling, so that buffers fit the next answer
   * too and at most a quarter of one is idle.
   */
  static final class SizeClass {
    /** Smallest capacity. */
    static final int MINIMUM = 4096;

    private SizeClass() {}

    /** Returns the least capacity that holds this many bytes. */
    static int capacity(int bytes) {
      if (bytes <= MINIMUM) {
        return MINIMUM;
      }
      int step = Integer.highestOneBit(bytes - 1) >>> 2;
      long rounded = ((long) bytes + step - 1) / step * step;
      return (int) Math.min(rounded, Integer.MAX_VALUE);
    }
  }

  /** A buffer borrowed from the pool; closing the lease returns it. */
  public static final class Lease implements AutoCloseable {
    private final BufferPool pool;
    private final Memory memory;
    private final ByteBuffer buffer;
    private final AtomicBoolean returned = new AtomicBoolean();

    Lease(BufferPool pool, Memory memory, int bytes) {
      this.pool = pool;
      this.memory = memory;
      this.buffer = memory.first(bytes);
    }

    /** Returns the buffer, from position 0 to a limit of as many bytes as were asked for. */
    public ByteBuffer buffer() {
      return buffer;
    }

    Memory memory() {
      return memory;
    }

    /** Returns the buffer to the pool; a second call does nothing. */
    @Override
    public void close() {
      if (returned.compareAndSet(false, true)) {
        pool.giveBack(this);
      }
    }
  }
}
