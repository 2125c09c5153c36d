package io.quiver.gateway.door.block;

import io.quiver.client.buffer.BufferPool;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Lends blocks the memory for bytes from the store, and keeps it for the next ones. */
final class BlockBuffers implements AutoCloseable {
  private final BufferPool pool;

  BlockBuffers(long budgetBytes) {
    this.pool = new BufferPool(budgetBytes, false);
  }

  /** Gives a block, which is charged already, memory of its own; returns it for filling. */
  ByteBuffer allocate(Block block) {
    BufferPool.Lease lease = lend(block.length());
    if (lease == null) {
      // The budget is charged; the pool is only short of a buffer of the right length.
      ByteBuffer bytes = ByteBuffer.allocate(block.length());
      block.provide(bytes, () -> {});
      return bytes;
    }
    block.provide(lease.buffer(), lease::close);
    return lease.buffer();
  }

  private BufferPool.@Nullable Lease lend(int length) {
    try {
      return pool.lend(length, 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
