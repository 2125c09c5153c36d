package io.quiver.gateway.door.block;

import io.quiver.core.hash.ContentHash;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which blobs blocks are, so that names are not resolved again, and how much of each
 * block was read in parts. Bounded: the least recently used are forgotten.
 */
final class Bindings {
  private static final int MOST = 32_768;

  // Guarded by itself.
  private final LinkedHashMap<BlockKey, Bound> bindings = new LinkedHashMap<>(16, 0.75f, true);

  private record Bound(ContentHash hash, long partBytes) {}

  /** Returns the blob of a block if it is remembered. */
  @Nullable ContentHash find(BlockKey key) {
    synchronized (bindings) {
      Bound bound = bindings.get(key);
      return bound == null ? null : bound.hash;
    }
  }

  /** Returns the bytes of a block that were read in parts so far. */
  long partBytes(BlockKey key) {
    synchronized (bindings) {
      Bound bound = bindings.get(key);
      return bound == null ? 0 : bound.partBytes;
    }
  }

  void remember(BlockKey key, ContentHash hash) {
    addPart(key, hash, 0);
  }

  void addPart(BlockKey key, ContentHash hash, long bytes) {
    synchronized (bindings) {
      Bound known = bindings.get(key);
      bindings.put(key, new Bound(hash, (known == null ? 0 : known.partBytes) + bytes));
      if (bindings.size() > MOST) {
        bindings.pollFirstEntry();
      }
    }
  }

  void forget(BlockKey key) {
    synchronized (bindings) {
      bindings.remove(key);
    }
  }
}
