package io.quiver.server.policy;

import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStoreContract;
import io.quiver.store.memory.MemoryBlobStore;
import java.nio.file.Path;
import java.util.List;

/** Spaces without the policy behave as in any store. */
final class LruBesidePlainSpacesTest extends BlobStoreContract {
  @Override
  protected BlobStore open(Path directory, long capacityBytes) {
    return new LruBlobStore(
        new MemoryBlobStore(capacityBytes, MAX_BLOB),
        List.of(LruSpace.of(new SpaceId("lru"), 1000)));
  }
}
