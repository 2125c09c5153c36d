package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import io.quiver.store.PutOutcome;
import io.quiver.store.SpaceUsage;
import io.quiver.store.StoreException;
import io.quiver.store.StoreUsage;
import io.quiver.store.memory.MemoryBlobStore;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Blobs in segment files on local disks. */
public final class SsdBlobStore implements BlobStore {
  private final MemoryBlobStore blobs;

  private SsdBlobStore(SsdStoreConfig config) {
    blobs = new MemoryBlobStore(config.capacityBytes(), config.maxBlobBytes());
  }

  /**
   * Opens the store in its directories and re-indexes what they hold.
   *
   * @throws StoreException when a directory is missing, not writable, in use by another process or
   *     of a format this version does not know
   */
  public static SsdBlobStore open(SsdStoreConfig config, RecoveryProgress progress)
      throws StoreException {
    for (Path directory : config.directories()) {
      if (!Files.isDirectory(directory)) {
        throw new StoreException(directory, "is not a directory", "create it or name another");
      }
    }
    progress.update(0, 0, 0);
    return new SsdBlobStore(config);
  }

  @Override
  public boolean[] contains(List<ContentHash> hashes) {
    return blobs.contains(hashes);
  }

  @Override
  public BlobBatch read(List<ContentHash> hashes, int want, long maxBytes) {
    return blobs.read(hashes, want, maxBytes);
  }

  @Override
  public PutOutcome put(ContentHash hash, SpaceId space, ByteBuffer content) {
    return blobs.put(hash, space, content);
  }

  @Override
  public boolean evict(ContentHash hash, SpaceId space) {
    return blobs.evict(hash, space);
  }

  @Override
  public long drop(SpaceId space) {
    return blobs.drop(space);
  }

  @Override
  public void limit(SpaceId space, long bytes) {
    blobs.limit(space, bytes);
  }

  @Override
  public StoreUsage usage() {
    return blobs.usage();
  }

  @Override
  public List<SpaceUsage> spaces() {
    return blobs.spaces();
  }

  @Override
  public void close() {
    blobs.close();
  }
}
