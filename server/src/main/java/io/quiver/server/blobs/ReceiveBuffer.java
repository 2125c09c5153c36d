package io.quiver.server.blobs;

import io.quiver.http.ByteBudget;
import io.quiver.http.DirectBuffers;
import io.quiver.http.Refusal;
import io.quiver.http.RequestBody;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/**
 * Memory for blobs that are being received, with its share of the budget. Few bytes lie on the
 * heap, more in a pooled buffer, many in a piece of native memory that is freed at once. Memory and
 * share grow with the bytes that arrive, never with those that are announced.
 */
final class ReceiveBuffer implements AutoCloseable {
  /** Memory up to this length is not worth a pooled buffer. */
  private static final int SMALL_BYTES = 64 << 10;

  /** Times as many bytes as have arrived may be held. */
  private static final int GROWTH = 4;

  private final DirectBuffers pool;
  private final ByteBudget.Share share;
  private ByteBuffer bytes;
  private Runnable release;
  private boolean closed;

  private ReceiveBuffer(DirectBuffers pool, ByteBudget.Share share, int length) {
    this.pool = pool;
    this.share = share;
    this.release = () -> {};
    this.bytes = allocate(length);
  }

  /** Waits for a share of the budget and makes an empty buffer of this length. */
  static ReceiveBuffer take(int length, String caller, ByteBudget budget, DirectBuffers pool)
      throws Refusal {
    ByteBudget.Share share = budget.take(caller, chargedBytes(length, pool));
    return new ReceiveBuffer(pool, share, length);
  }

  /** Receives the next bytes of a body; a buffer that is not filled is closed. */
  static ReceiveBuffer receive(
      RequestBody body, int length, ByteBudget budget, DirectBuffers pool, byte[] scratch)
      throws IOException, Refusal {
    int first = Math.min(length, pool.bufferBytes());
    ReceiveBuffer buffer = take(first, body.caller(), budget, pool);
    boolean filled = false;
    try {
      body.readFully(buffer.bytes, scratch);
      while (buffer.bytes.capacity() < length) {
        buffer.grow((int) Math.min(length, (long) GROWTH * buffer.bytes.capacity()));
        body.readFully(buffer.bytes, scratch);
      }
      filled = true;
      return buffer;
    } finally {
      if (!filled) {
        buffer.close();
      }
    }
  }

  /** Moves what has been received to a larger piece of memory, and goes on behind it. */
  void grow(int length) throws Refusal {
    share.grow(chargedBytes(length, pool));
    ByteBuffer before = bytes.flip();
    Runnable releaseBefore = release;
    bytes = allocate(length).put(before);
    releaseBefore.run();
  }

  /** Returns what memory of this length costs. */
  private static long chargedBytes(int length, DirectBuffers pool) {
    return length > SMALL_BYTES ? Math.max(length, pool.bufferBytes()) : length;
  }

  private ByteBuffer allocate(int length) {
    if (length <= SMALL_BYTES) {
      release = () -> {};
      return ByteBuffer.allocate(length);
    }
    if (length <= pool.bufferBytes()) {
      ByteBuffer pooled = pool.take();
      release = () -> pool.give(pooled);
      return pooled.slice(0, length);
    }
    Arena arena = Arena.ofShared();
    release = arena::close;
    return arena.allocate(length).asByteBuffer();
  }

  /** Returns the memory; its position is the number of bytes received. */
  ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      release.run();
      share.close();
    }
  }
}
