package io.quiver.gateway.door.block;

import io.quiver.client.buffer.BufferPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of all blocks. A block stays while somebody has it pinned; of those nobody has
 * pinned, the least recently used goes first. Whoever waits for memory has no block pinned, so
 * waits cannot depend on each other, and every wait is short.
 */
final class BlockMemory implements AutoCloseable {
  /** After a wait in vain nobody waits for so long: the memory is in the hands of slow readers. */
  private static final long NO_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** One part of so many may be taken by blocks that were read ahead and not used yet. */
  private static final int AHEAD_PART = 2;

  private final long budgetBytes;
  private final LongSupplier nanoTime;
  private final BlockBuffers buffers;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  // All guarded by the lock.
  private final Map<BlockKey, Block> blocks = new HashMap<>();
  private final LinkedHashMap<BlockKey, Block> idle = new LinkedHashMap<>();
  private long used;
  private long aheadBytes;
  private long wastedAhead;
  private long wastedAheadBytes;
  private long noWaitUntil;
  private boolean closed;

  BlockMemory(long budgetBytes, LongSupplier nanoTime) {
    this.budgetBytes = budgetBytes;
    this.nanoTime = nanoTime;
    this.buffers = new BlockBuffers(budgetBytes);
    this.noWaitUntil = nanoTime.getAsLong();
  }

  /** Pins a block for a reader if it is here or on its way; otherwise returns null. */
  @Nullable Block pinPresent(BlockKey key) {
    lock.lock();
    try {
      return pinKnown(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Pins a block for a reader, a new one if need be. Waits for memory if there is none.
   *
   * @return the block, which the caller unpins; null if there was no memory for it in time
   */
  @Nullable Block pin(BlockKey key, int length, long waitNanos) throws InterruptedException {
    long left = waitNanos;
    lock.lockInterruptibly();
    try {
      while (!closed) {
        Block known = pinKnown(key);
        if (known != null) {
          return known;
        }
        Block added = add(key, length);
        if (added != null) {
          added.addReader();
          return added;
        }
        if (left <= 0 || nanoTime.getAsLong() - noWaitUntil < 0) {
          break;
        }
        left = freed.awaitNanos(left);
        if (left <= 0) {
          noWaitUntil = nanoTime.getAsLong() + NO_WAIT_NANOS;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Block pinKnown(BlockKey key) {
    Block block = blocks.get(key);
    if (block != null) {
      block.addReader();
      idle.remove(key);
      used(block);
    }
    return block;
  }

  private void used(Block block) {
    if (block.ahead()) {
      block.ahead(false);
      aheadBytes -= block.charge();
    }
  }

  /**
   * Adds a block that nobody asks for yet, held by the caller.
   *
   * @return null if it is here already or memory is short
   */
  @Nullable Block addAhead(BlockKey key, int length) {
    lock.lock();
    try {
      long most = budgetBytes / AHEAD_PART;
      if (closed || blocks.containsKey(key) || aheadBytes + BufferPool.capacity(length) > most) {
        return null;
      }
      Block added = add(key, length);
      if (added != null) {
        added.addHolder();
        added.ahead(true);
        aheadBytes += added.charge();
      }
      return added;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Block add(BlockKey key, int length) {
    long charge = BufferPool.capacity(length);
    if (!makeRoom(charge)) {
      return null;
    }
    Block block = new Block(key, length, charge);
    used += charge;
    blocks.put(key, block);
    return block;
  }

  /** Evicts idle blocks until so many bytes fit; evicts nothing if they never will. */
  private boolean makeRoom(long bytes) {
    while (used + bytes > budgetBytes) {
      Map.Entry<BlockKey, Block> eldest = idle.firstEntry();
      if (eldest == null) {
        return false;
      }
      idle.remove(eldest.getKey());
      unmap(eldest.getValue());
      release(eldest.getValue());
    }
    return true;
  }

  private void unmap(Block block) {
    if (block.mapped()) {
      block.unmap();
      blocks.remove(block.key());
    }
    if (block.ahead()) {
      block.ahead(false);
      aheadBytes -= block.charge();
      wastedAhead += block.filled() == 0 ? 0 : 1;
      wastedAheadBytes += block.filled();
    }
  }

  private void release(Block block) {
    used -= block.charge();
    block.charge(0);
    block.free();
    freed.signalAll();
  }

  /** Ends a reader's use of a block. */
  void unpin(Block block) {
    lock.lock();
    try {
      block.removeReader();
      settle(block);
    } finally {
      lock.unlock();
    }
  }

  /** Keeps a block from being evicted, beside its readers. */
  void hold(Block block) {
    lock.lock();
    try {
      block.addHolder();
    } finally {
      lock.unlock();
    }
  }

  /** Ends a hold. */
  void letGo(Block block) {
    lock.lock();
    try {
      block.removeHolder();
      settle(block);
    } finally {
      lock.unlock();
    }
  }

  private void settle(Block block) {
    if (!block.unused()) {
      return;
    }
    if (block.mapped() && block.complete() && !closed) {
      idle.put(block.key(), block);
      freed.signalAll();
    } else {
      unmap(block);
      release(block);
    }
  }

  /** Fails a block: those who wait are told, and the next reader begins anew. */
  void fail(Block block, IOException reason) {
    lock.lock();
    try {
      unmap(block);
      block.fail(reason);
    } finally {
      lock.unlock();
    }
  }

  /** Returns true if a block is here or on its way. */
  boolean contains(BlockKey key) {
    lock.lock();
    try {
      return blocks.containsKey(key);
    } finally {
      lock.unlock();
    }
  }

  /** Takes a block in order to fill it, unless it was given up or somebody else has taken it. */
  boolean takeWanted(Block block) {
    lock.lock();
    try {
      return block.mapped() && block.take();
    } finally {
      lock.unlock();
    }
  }

  /** Gives up a block that nobody reads and nobody has begun to fill. */
  void giveUp(Block block) {
    lock.lock();
    try {
      if (block.unread() && !block.isTaken()) {
        unmap(block);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes a block that nobody reads out of the memory; returns false if somebody does. */
  boolean dropUnread(Block block) {
    lock.lock();
    try {
      if (!block.unread()) {
        return false;
      }
      unmap(block);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a block that was brought for the cache, and for no reader, out of the memory. */
  void dropFilled(Block block) {
    lock.lock();
    try {
      if (block.unread()) {
        if (block.ahead()) {
          block.ahead(false);
          aheadBytes -= block.charge();
        }
        unmap(block);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives a block memory of its own, and returns it for filling. */
  ByteBuffer allocate(Block block) {
    return buffers.allocate(block);
  }

  /** Charges a block for memory that it takes over; returns false if that does not fit. */
  boolean recharge(Block block, long charge) {
    lock.lock();
    try {
      long more = charge - block.charge();
      if (!block.mapped() || !makeRoom(more)) {
        return false;
      }
      used += more;
      aheadBytes += block.ahead() ? more : 0;
      block.charge(charge);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes that all blocks take. */
  long usedBytes() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of blocks that were read ahead and never used. */
  long wastedAhead() {
    lock.lock();
    try {
      return wastedAhead;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes that were read ahead and never used. */
  long wastedAheadBytes() {
    lock.lock();
    try {
      return wastedAheadBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Frees what nobody uses now, and the rest as soon as nobody does. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      idle.values()
          .forEach(block -> {
            unmap(block);
            release(block);
          });
      idle.clear();
      freed.signalAll();
    } finally {
      lock.unlock();
    }
    buffers.close();
  }

  /** Waits until no block is in use; returns false if that takes too long. */
  boolean awaitEmpty(long waitNanos) {
    long left = waitNanos;
    lock.lock();
    try {
      while (used > 0 && left > 0) {
        left = freed.awaitNanos(left);
      }
      return used == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}
