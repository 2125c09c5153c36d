package io.quiver.store.ssd;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Lends page-aligned buffers for reads past the page cache, kept for reuse because fresh memory is
 * slow.
 *
 * <p>{@link ColdBudget} bounds the buffers that are lent; this class bounds the idle ones.
 */
final class PageBuffers implements AutoCloseable {
  /** The longest record read this way; longer ones go through the page cache. */
  static final long MAX_RECORD_BYTES = 1 << 20;

  private static final long STEP_BYTES = 32 << 10;

  private final long maxIdleBytes;
  private final Map<Long, ArrayDeque<Buffer>> idle = new HashMap<>();
  private long idleBytes;
  private boolean closed;

  PageBuffers(long maxIdleBytes) {
    this.maxIdleBytes = maxIdleBytes;
  }

  /** A buffer and the arena that frees it. */
  record Buffer(Arena arena, MemorySegment memory, ByteBuffer view) {}

  /** Lends a buffer of at least this length. */
  Buffer borrow(long bytes) {
    long size = (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    synchronized (this) {
      ArrayDeque<Buffer> kept = idle.get(size);
      if (kept != null && !kept.isEmpty()) {
        idleBytes -= size;
        return kept.pop();
      }
    }
    Arena arena = Arena.ofShared();
    MemorySegment memory = Libc.pages(size, arena);
    return new Buffer(arena, memory, memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Takes a buffer back; nobody reads from it any more. */
  void giveBack(Buffer buffer) {
    long size = buffer.memory().byteSize();
    synchronized (this) {
      if (!closed && idleBytes + size <= maxIdleBytes) {
        idleBytes += size;
        idle.computeIfAbsent(size, any -> new ArrayDeque<>()).push(buffer);
        return;
      }
    }
    buffer.arena().close();
  }

  @Override
  public synchronized void close() {
    closed = true;
    idle.values().forEach(kept -> kept.forEach(buffer -> buffer.arena().close()));
    idle.clear();
  }
}
