package io.quiver.http;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lends direct buffers of one length. A connection holds one only while it sends or receives, so
 * few are needed; those beyond what is kept are left to the collector.
 */
public final class DirectBuffers {
  private final int bufferBytes;
  private final ArrayBlockingQueue<ByteBuffer> free;
  private final AtomicInteger lent = new AtomicInteger();

  /** Makes a pool that keeps this many buffers of this length. */
  public DirectBuffers(int bufferBytes, int kept) {
    this.bufferBytes = bufferBytes;
    this.free = new ArrayBlockingQueue<>(kept);
  }

  /** Lends a buffer, from zero to its capacity; the borrower gives it back. */
  public ByteBuffer take() {
    lent.incrementAndGet();
    ByteBuffer buffer = free.poll();
    return buffer != null ? buffer : ByteBuffer.allocateDirect(bufferBytes);
  }

  /** Takes a buffer back; beyond what is kept it is left to the collector. */
  public void give(ByteBuffer buffer) {
    lent.decrementAndGet();
    var _ = free.offer(buffer.clear());
  }

  /** Returns the length of each buffer. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /** Returns how many buffers are lent. */
  public int lent() {
    return lent.get();
  }
}
