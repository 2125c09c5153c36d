package io.quiver.gateway.door.block;

import io.quiver.core.engine.FetchLanes.Lane;
import io.quiver.gateway.door.block.BlockCounters.Of;
import io.quiver.remote.RemoteStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/** Fills blocks from the store, exactly at their version; readers see bytes as they arrive. */
final class StoreFill {
  private static final int PIECE_BYTES = 64 * 1024;

  private final RemoteStore store;
  private final StoreTurns turns;
  private final BlockMemory memory;
  private final BlockCounters counters;
  private final LongSupplier nanoTime;
  private final FirstBlocks firstBlocks;
  private volatile boolean closed;

  StoreFill(
      RemoteStore store,
      StoreTurns turns,
      BlockMemory memory,
      BlockCounters counters,
      LongSupplier nanoTime,
      FirstBlocks firstBlocks) {
    this.store = store;
    this.turns = turns;
    this.memory = memory;
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.firstBlocks = firstBlocks;
  }

  StoreTurns turns() {
    return turns;
  }

  RemoteStore store() {
    return store;
  }

  /**
   * Waits for a turn and reads a block.
   *
   * @param wantedAt the time at which somebody first wanted it
   * @return true if the block is complete; false if it failed
   */
  boolean read(Block block, ObjectBlocks file, int index, long wantedAt) {
    try {
      turns.enter(Lane.DEMAND);
    } catch (IOException e) {
      memory.fail(block, e);
      return false;
    }
    try {
      return readInTurn(block, file, index, wantedAt);
    } finally {
      turns.leave(Lane.DEMAND);
    }
  }

  /** Reads a block; the caller has a turn. */
  private boolean readInTurn(Block block, ObjectBlocks file, int index, long wantedAt) {
    return readInTurn(block, () -> open(file, index), wantedAt);
  }

  /** Reads a block that somebody will want; the caller has a turn. */
  boolean readAheadInTurn(Block block, ObjectBlocks file, int index, long wantedAt) {
    boolean first = index == 0 && file.shared();
    return readInTurn(
        block,
        () -> first ? firstBlocks.open(file.object(), file.length(0)) : open(file, index),
        wantedAt);
  }

  private interface Opening {
    InputStream open() throws IOException;
  }

  private boolean readInTurn(Block block, Opening opening, long wantedAt) {
    counters.count(Of.STORE_READS);
    try (InputStream bytes = opening.open()) {
      fill(block, bytes, wantedAt);
      return true;
    } catch (IOException | RuntimeException e) {
      fail(block, e);
      return block.complete();
    }
  }

  /** Opens a block at its version; an object without one is read as it is now. */
  private InputStream open(ObjectBlocks file, int index) throws IOException {
    long start = file.start(index);
    return file.object().version().isEmpty()
        ? store.open(file.object().name(), start, file.length(index))
        : store.open(file.object(), start, file.length(index));
  }

  /** Fills a block from a stream that begins with its first byte. */
  boolean fillFrom(Block block, InputStream bytes, long wantedAt) {
    try {
      fill(block, bytes, wantedAt);
      return true;
    } catch (IOException | RuntimeException e) {
      fail(block, e);
      return false;
    }
  }

  /** Fails a block, unless it was complete and only its end made trouble. */
  private void fail(Block block, Exception e) {
    if (!block.complete()) {
      counters.count(Of.STORE_FAILURES);
      memory.fail(
          block, e instanceof IOException failure ? failure : new IOException(e.toString(), e));
    }
  }

  private void fill(Block block, InputStream bytes, long wantedAt) throws IOException {
    block.comesFromStore();
    ByteBuffer target = memory.allocate(block);
    byte[] piece = new byte[Math.min(PIECE_BYTES, block.length())];
    int filled = 0;
    while (filled < block.length()) {
      if (closed) {
        throw new IOException("the door to " + store.uri() + " is closed");
      }
      int count = bytes.read(piece, 0, Math.min(piece.length, block.length() - filled));
      if (count < 0) {
        throw new EOFException(
            "'" + block.key().object() + "' ends " + (block.length() - filled) + " bytes early");
      }
      target.put(filled, piece, 0, count);
      if (filled == 0) {
        counters.count(Of.FIRST_BYTES);
        counters.add(Of.FIRST_BYTE_NANOS, nanoTime.getAsLong() - wantedAt);
      }
      filled += count;
      counters.add(Of.STORE_BYTES, count);
      block.filledTo(filled);
    }
  }

  /** Ends the reads under way before their next piece. */
  void close() {
    closed = true;
  }
}
