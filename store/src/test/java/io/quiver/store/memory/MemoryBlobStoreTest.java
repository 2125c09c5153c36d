package io.quiver.store.memory;

import io.quiver.store.BlobStore;
import io.quiver.store.BlobStoreContract;
import java.nio.file.Path;

final class MemoryBlobStoreTest extends BlobStoreContract {
  @Override
  protected BlobStore open(Path directory, long capacityBytes) {
    return new MemoryBlobStore(capacityBytes, MAX_BLOB);
  }
}
