package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Lists the blobs of some spaces in the order in which they were written, from the index and the
 * owners alone: no disk is read. The caller has entered an epoch.
 */
final class SpaceListing {
  private final StoreState state;
  private final Set<SpaceId> wanted;
  private final Map<SpaceId, List<Entry>> entries = new HashMap<>();

  /** One blob and its place in the order of writing. */
  private record Entry(long segment, long offset, long fingerprint, long bytes) {}

  SpaceListing(StoreState state, Set<SpaceId> wanted) {
    this.state = state;
    this.wanted = wanted;
  }

  void tell(BlobStore.Listing listing) {
    state.index.forEachUnshared((fingerprint, location) -> {
      SpaceId space = state.segments.of(location).space().id();
      if (wanted.contains(space)) {
        add(space, location, fingerprint, location);
      }
    });
    wanted.forEach(this::addShared);
    entries.forEach((space, blobs) -> {
      blobs.sort(Comparator.comparingLong(Entry::segment).thenComparingLong(Entry::offset));
      blobs.forEach(blob -> listing.blob(space, blob.fingerprint, blob.bytes));
    });
  }

  private void addShared(SpaceId id) {
    @Nullable StoredSpace space = state.spaces.find(id);
    if (space == null) {
      return;
    }
    for (ContentHash hash : space.shares()) {
      Lock lock = state.lockOf(hash);
      lock.lock();
      try {
        addShared(space, hash);
      } finally {
        lock.unlock();
      }
    }
  }

  private void addShared(StoredSpace space, ContentHash hash) {
    Index.Probe probe = new Index.Probe();
    BlobOwners.@Nullable Shared shared = state.owners.find(hash);
    if (shared == null || state.index.find(hash, probe) == 0) {
      return;
    }
    BlobOwners.@Nullable Reference reference = shared.references.get(space.id());
    if (reference != null) {
      add(space.id(), reference.location(), hash.fingerprint(), probe.location);
    } else if (shared.homeOwns && state.segments.of(probe.location).space() == space) {
      add(space.id(), probe.location, hash.fingerprint(), probe.location);
    }
  }

  private void add(SpaceId space, long at, long fingerprint, long data) {
    long number = SegmentFiles.number(state.segments.of(at).file().path());
    long bytes = Location.recordBytes(data) - RecordHeader.BYTES;
    entries
        .computeIfAbsent(space, any -> new ArrayList<>())
        .add(new Entry(number, Location.offset(at), fingerprint, bytes));
  }
}
