package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the owners of shared blobs, which do not simply belong to the space their bytes lie in.
 * Shared blobs are few, so the index has only a mark for them. An entry is touched under its blob's
 * lock.
 */
final class BlobOwners {
  private final Map<ContentHash, Shared> shared = new ConcurrentHashMap<>();

  @Nullable Shared find(ContentHash hash) {
    return shared.get(hash);
  }

  /** Returns the entry of a blob, creating one that names only the home space as owner. */
  Shared of(ContentHash hash, StoredSpace home) {
    return shared.computeIfAbsent(hash, any -> new Shared(home));
  }

  void remove(ContentHash hash) {
    shared.remove(hash);
  }

  /** Returns all hashes with an entry; entries come and go meanwhile. */
  Set<ContentHash> hashes() {
    return shared.keySet();
  }

  /** The owners of one blob. */
  static final class Shared {
    /** True if the space that stores the bytes is among the owners. */
    boolean homeOwns = true;

    /** The space that is charged for the bytes. */
    StoredSpace payer;

    /** The other owners, and where their reference records lie. */
    final TreeMap<SpaceId, Reference> references = new TreeMap<>();

    Shared(StoredSpace home) {
      payer = home;
    }
  }

  /** One owner's reference record. */
  record Reference(StoredSpace space, long location) {}
}
