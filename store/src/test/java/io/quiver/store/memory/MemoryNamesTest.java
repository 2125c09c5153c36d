package io.quiver.store.memory;

import io.quiver.store.BlobStore;
import io.quiver.store.NameStoreContract;
import java.nio.file.Path;

final class MemoryNamesTest extends NameStoreContract {
  @Override
  protected BlobStore open(Path directory, long capacityBytes) {
    return new MemoryBlobStore(capacityBytes, 1 << 20);
  }
}
