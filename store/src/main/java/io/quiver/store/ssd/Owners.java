package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who owns the blobs that do not simply belong to the space their bytes lie in. Few do, so the
 * index has only a mark for them and the owners are kept here. An entry is touched under its blob's
 * lock.
 */
final class Owners {
  private final Map<ContentHash, Shared> shared = new ConcurrentHashMap<>();

  @Nullable Shared find(ContentHash hash) {
    return shared.get(hash);
  }

  /** The entry of a blob; a new one says that only the space of its bytes owns it. */
  Shared of(ContentHash hash, Space home) {
    return shared.computeIfAbsent(hash, any -> new Shared(home));
  }

  void remove(ContentHash hash) {
    shared.remove(hash);
  }

  /** All hashes with an entry; entries come and go meanwhile. */
  Set<ContentHash> hashes() {
    return shared.keySet();
  }

  /** The owners of one blob. */
  static final class Shared {
    /** Whether the space its bytes lie in is among the owners. */
    boolean homeOwns = true;

    /** Who pays for the bytes. */
    Space payer;

    /** The other owners, and where their reference records lie. */
    final TreeMap<SpaceId, Reference> references = new TreeMap<>();

    Shared(Space home) {
      payer = home;
    }
  }

  /** One owner's reference record. */
  record Reference(Space space, long location) {}
}
