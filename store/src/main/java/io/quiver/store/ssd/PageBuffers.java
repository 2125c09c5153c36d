package io.quiver.store.ssd;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Lends page-aligned buffers for reads past the page cache, kept for reuse because fresh memory is
 * slow. They are cut from slabs of one huge page each: the kernel describes every stretch of
 * contiguous memory to the disk, and a blob in one stretch instead of forty pages took a sixth of
 * the processor time and came twice as fast from a virtual disk.
 *
 * <p>{@link ColdBudget} bounds the buffers that are lent; this class bounds the slabs. Where all
 * are in use, a buffer has memory of its own.
 */
final class PageBuffers implements AutoCloseable {
  /** The longest record read this way; longer ones go through the page cache. */
  static final long MAX_RECORD_BYTES = 1 << 20;

  private static final int SLAB_BYTES = (int) Libc.HUGE_PAGE_BYTES;

  private final long maxSlabs;
  private final Map<Integer, ArrayDeque<Slab>> cut = new HashMap<>(); // by length of a piece
  private final ArrayDeque<Slab> idle = new ArrayDeque<>();
  private int slabs;
  private boolean closed;

  PageBuffers(long maxBytes) {
    maxSlabs = maxBytes / SLAB_BYTES;
  }

  /** A piece of memory, and what it was cut from. */
  record Buffer(Slab slab, MemorySegment memory, ByteBuffer view) {}

  /** Memory that is cut into pieces of one length. */
  private static final class Slab {
    final MemorySegment memory;
    final boolean kept;
    final ArrayDeque<Buffer> unlent = new ArrayDeque<>();
    int pieceBytes;
    int pieces;

    Slab(int bytes, boolean kept) {
      memory = Libc.pages(bytes);
      this.kept = kept;
    }

    Slab cut(int bytes) {
      if (bytes == pieceBytes) {
        return this;
      }
      unlent.clear();
      pieceBytes = bytes;
      pieces = (int) (memory.byteSize() / bytes);
      for (int i = 0; i < pieces; i++) {
        MemorySegment piece = memory.asSlice((long) i * bytes, bytes);
        ByteBuffer view = piece.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        unlent.push(new Buffer(this, piece, view));
      }
      return this;
    }
  }

  /** Lends a buffer of at least this length. */
  synchronized Buffer borrow(long bytes) {
    int pieceBytes = SLAB_BYTES / (SLAB_BYTES / (int) bytes) & -Libc.PAGE_BYTES;
    ArrayDeque<Slab> partlyLent = partlyLent(pieceBytes);
    if (partlyLent.isEmpty()) {
      if (idle.isEmpty() && slabs >= maxSlabs) {
        return new Slab(pieceBytes, false).cut(pieceBytes).unlent.pop();
      }
      partlyLent.push((idle.isEmpty() ? fresh() : idle.pop()).cut(pieceBytes));
    }
    Slab slab = partlyLent.element();
    Buffer buffer = slab.unlent.pop();
    if (slab.unlent.isEmpty()) {
      partlyLent.pop();
    }
    return buffer;
  }

  private ArrayDeque<Slab> partlyLent(int pieceBytes) {
    return cut.computeIfAbsent(pieceBytes, any -> new ArrayDeque<>());
  }

  private Slab fresh() {
    slabs++;
    return new Slab(SLAB_BYTES, true);
  }

  /** Takes a buffer back; nobody reads from it any more. */
  synchronized void giveBack(Buffer buffer) {
    Slab slab = buffer.slab();
    if (!slab.kept) {
      Libc.free(slab.memory);
      return;
    }
    ArrayDeque<Slab> partlyLent = partlyLent(slab.pieceBytes);
    slab.unlent.push(buffer);
    if (slab.unlent.size() == 1) {
      partlyLent.push(slab);
    }
    if (slab.unlent.size() == slab.pieces) {
      partlyLent.remove(slab);
      if (closed) {
        Libc.free(slab.memory);
      } else {
        idle.push(slab);
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    idle.forEach(slab -> Libc.free(slab.memory));
    idle.clear();
  }
}
