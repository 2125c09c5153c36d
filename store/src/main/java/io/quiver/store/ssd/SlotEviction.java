package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Evicts the blobs of certain slots from some spaces, one shard of the index after the other: what
 * it remembers of a shard is short, and no lock is held while records are marked on disk.
 */
final class SlotEviction {
  private final StoreState state;
  private final BlobCatalog catalog;
  private final Set<SpaceId> spaces;
  private final IntPredicate slots;

  /** A blob and the space that gives it up. */
  private record Victim(long fingerprint, SpaceId space) {}

  SlotEviction(StoreState state, BlobCatalog catalog, Set<SpaceId> spaces, IntPredicate slots) {
    this.state = state;
    this.catalog = catalog;
    this.spaces = spaces;
    this.slots = slots;
  }

  /** Evicts from one shard and returns how many; the caller has entered an epoch. */
  long evict(int shard) {
    List<Victim> victims = new ArrayList<>();
    state.index.forEachOwnedAtHome(
        shard, (fingerprint, location) -> choose(fingerprint, location, victims));
    state.references.forEach(
        shard, (fingerprint, reference) -> choose(fingerprint, reference, victims));
    return victims.stream()
        .filter(victim -> catalog.evict(victim.fingerprint, victim.space))
        .count();
  }

  private void choose(long fingerprint, long location, List<Victim> victims) {
    if (slots.test(ContentHash.slotOf(fingerprint))) {
      SpaceId space = state.spaceOf(location).id();
      if (spaces.contains(space)) {
        victims.add(new Victim(fingerprint, space));
      }
    }
  }
}
