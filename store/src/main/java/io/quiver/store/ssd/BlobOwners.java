package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.util.HashSet;
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

  /** The entry of a blob; a new one says that only the space of its bytes owns it. */
  Shared of(ContentHash hash, StoredSpace home) {
    return shared.computeIfAbsent(
        hash,
        any -> {
          Shared made = new Shared(home);
          made.involve(hash, home);
          return made;
        });
  }

  void remove(ContentHash hash) {
    @Nullable Shared gone = shared.remove(hash);
    if (gone != null) {
      gone.involved.forEach(space -> space.shares().remove(hash));
    }
  }

  /** The owners of one blob. */
  static final class Shared {
    /** True if the space that stores the bytes is among the owners. */
    boolean homeOwns = true;

    /** The space that is charged for the bytes. */
    StoredSpace payer;

    /** The other owners, and where their reference records lie. */
    final TreeMap<SpaceId, Reference> references = new TreeMap<>();

    /** Every space that owns or owned the blob since it is shared: those that list it. */
    private final Set<StoredSpace> involved = new HashSet<>();

    Shared(StoredSpace home) {
      payer = home;
    }

    /** Notes in a space that it shares the blob, so that dropping it finds the blob. */
    void involve(ContentHash hash, StoredSpace space) {
      if (involved.add(space)) {
        space.shares().add(hash);
      }
    }
  }

  /** One owner's reference record. */
  record Reference(StoredSpace space, long location) {}
}
