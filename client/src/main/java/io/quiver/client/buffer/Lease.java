package io.quiver.client.buffer;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** A buffer borrowed from the pool; closing the lease returns it. */
public final class Lease implements AutoCloseable {
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
