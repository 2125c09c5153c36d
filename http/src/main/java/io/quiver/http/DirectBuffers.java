package io.quiver.http;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Staging buffers for answers. A connection holds one only while it sends, so few are needed; those
 * beyond what is kept are left to the collector.
 */
public final class DirectBuffers {
  private final int bufferBytes;
  private final ArrayBlockingQueue<ByteBuffer> free;
  private final AtomicInteger lent = new AtomicInteger();

  /** A pool that keeps so many buffers of that length. */
  public DirectBuffers(int bufferBytes, int kept) {
    this.bufferBytes = bufferBytes;
    this.free = new ArrayBlockingQueue<>(kept);
  }

  /** A buffer, from zero to its capacity; who took it gives it back. */
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

  /** The length of each buffer. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /** How many buffers are in use. */
  public int lent() {
    return lent.get();
  }
}
