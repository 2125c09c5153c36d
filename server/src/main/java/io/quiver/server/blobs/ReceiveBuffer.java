package io.quiver.server.blobs;

import io.quiver.http.DirectBuffers;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/**
 * Memory for blobs that are being received: a pooled buffer where that suffices, else its own piece
 * of native memory, freed at once. Neither loads the heap.
 */
final class ReceiveBuffer implements AutoCloseable {
  private final ByteBuffer bytes;
  private final Runnable release;
  private boolean closed;

  private ReceiveBuffer(ByteBuffer bytes, Runnable release) {
    this.bytes = bytes;
    this.release = release;
  }

  static ReceiveBuffer of(int length, DirectBuffers pool) {
    if (length <= pool.bufferBytes()) {
      ByteBuffer pooled = pool.take();
      return new ReceiveBuffer(pooled.slice(0, length), () -> pool.give(pooled));
    }
    Arena arena = Arena.ofShared();
    return new ReceiveBuffer(arena.allocate(length).asByteBuffer(), arena::close);
  }

  ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      release.run();
    }
  }
}
