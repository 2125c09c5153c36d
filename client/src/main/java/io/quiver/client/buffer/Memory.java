package io.quiver.client.buffer;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of direct memory. Normally it is left to the garbage collector when nobody refers to it,
 * so that a stray slice can never point at freed memory; paranoid memory is freed at once, and
 * every later access throws.
 */
final class Memory {
  private final ByteBuffer whole;
  private final @Nullable Arena arena;

  private Memory(ByteBuffer whole, @Nullable Arena arena) {
    this.whole = whole;
    this.arena = arena;
  }

  static Memory allocate(int capacity, boolean paranoid) {
    if (!paranoid) {
      return new Memory(ByteBuffer.allocateDirect(capacity), null);
    }
    Arena arena = Arena.ofShared();
    return new Memory(arena.allocate(capacity).asByteBuffer(), arena);
  }

  int capacity() {
    return whole.capacity();
  }

  ByteBuffer first(int bytes) {
    return whole.slice(0, bytes);
  }

  boolean reusable() {
    return arena == null;
  }

  void free() {
    if (arena != null) {
      arena.close();
    }
  }
}
