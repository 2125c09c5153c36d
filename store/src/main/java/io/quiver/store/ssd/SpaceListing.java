package io.quiver.store.ssd;

import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists the blobs of some spaces in the order in which they were written, from the index and the
 * references alone: no disk is read. The caller has entered an epoch.
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
    state.index.forEachOwnedAtHome((fingerprint, location) -> add(location, fingerprint, location));
    Index.Probe probe = new Index.Probe();
    state.references.forEach((fingerprint, reference) -> {
      long location = state.index.find(fingerprint, probe);
      if (location != 0) {
        add(reference, fingerprint, location);
      }
    });
    entries.forEach((space, blobs) -> {
      blobs.sort(Comparator.comparingLong(Entry::segment).thenComparingLong(Entry::offset));
      blobs.forEach(blob -> listing.blob(space, blob.fingerprint, blob.bytes));
    });
  }

  private void add(long at, long fingerprint, long data) {
    SpaceId space = state.spaceOf(at).id();
    if (wanted.contains(space)) {
      long number = SegmentFiles.number(state.segments.of(at).file().path());
      long bytes =
          Location.isName(data)
              ? BlobStore.NAME_BYTES
              : Location.recordBytes(data) - RecordHeader.BYTES;
      entries
          .computeIfAbsent(space, any -> new ArrayList<>())
          .add(new Entry(number, Location.offset(at), fingerprint, bytes));
    }
  }
}
