package io.quiver.store.ssd;

import io.quiver.store.BlobStore;
import io.quiver.store.BlobStoreContract;
import java.nio.file.Path;
import java.util.List;

final class SsdBlobStoreTest extends BlobStoreContract {
  @Override
  protected BlobStore open(Path directory, long capacityBytes) throws Exception {
    return SsdBlobStore.open(
        new SsdStoreConfig(List.of(directory), capacityBytes, MAX_BLOB, 512 << 10, 4, 4 << 20),
        RecoveryProgress.NONE);
  }
}
