package io.quiver.server.policy;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStatus;
import io.quiver.store.BlobStore;
import io.quiver.store.PutOutcome;
import io.quiver.store.SpaceUsage;
import io.quiver.store.StoreUsage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A blob store in which some spaces evict their least recently used blobs to take in new ones: the
 * plain shared cache that plans are compared with. All other spaces behave as in the store below.
 *
 * <p>Reading a blob is using it; asking whether it is there is not. The quota counts the bytes of
 * blobs and is never passed, not even for a moment. Such a space starts empty: recency is not kept
 * on disk, so what an earlier process left in it is dropped.
 */
public final class LruBlobStore implements BlobStore {
  private final BlobStore store;
  private final Map<SpaceId, LruKeeper> keepers = new TreeMap<>();

  /** Applies the policy to some spaces of a store; closing this closes the store. */
  public LruBlobStore(BlobStore store, List<LruSpace> spaces) {
    this.store = store;
    for (LruSpace space : spaces) {
      if (keepers.put(space.space(), new LruKeeper(store, space)) != null) {
        throw new IllegalArgumentException("space " + space.space() + " is named twice");
      }
      store.drop(space.space());
    }
  }

  @Override
  public boolean[] contains(List<ContentHash> hashes) {
    return store.contains(hashes);
  }

  @Override
  public BlobBatch read(List<ContentHash> hashes, int want, long maxBytes) {
    return touched(hashes, store.read(hashes, want, maxBytes));
  }

  @Override
  public BlobBatch readChecked(List<ContentHash> hashes, int want, long maxBytes) {
    return touched(hashes, store.readChecked(hashes, want, maxBytes));
  }

  private BlobBatch touched(List<ContentHash> hashes, BlobBatch batch) {
    for (LruKeeper keeper : keepers.values()) {
      for (int i = 0; i < batch.size(); i++) {
        if (batch.status(i) == BlobStatus.HIT) {
          keeper.touch(hashes.get(i));
        }
      }
    }
    return batch;
  }

  @Override
  public PutOutcome put(ContentHash hash, SpaceId space, ByteBuffer content) {
    LruKeeper keeper = keepers.get(space);
    return keeper == null ? store.put(hash, space, content) : keeper.put(hash, content);
  }

  @Override
  public boolean evict(ContentHash hash, SpaceId space) {
    LruKeeper keeper = keepers.get(space);
    return keeper == null ? store.evict(hash, space) : keeper.evict(hash);
  }

  @Override
  public long drop(SpaceId space) {
    LruKeeper keeper = keepers.get(space);
    return keeper == null ? store.drop(space) : keeper.drop();
  }

  /** For a space of this kind: sets its quota, to which the next insert evicts. */
  @Override
  public void limit(SpaceId space, long bytes) {
    LruKeeper keeper = keepers.get(space);
    if (keeper == null) {
      store.limit(space, bytes);
    } else {
      keeper.limit(bytes);
    }
  }

  @Override
  public StoreUsage usage() {
    return store.usage();
  }

  @Override
  public List<SpaceUsage> spaces() {
    return store.spaces().stream().map(this::withQuota).toList();
  }

  private SpaceUsage withQuota(SpaceUsage usage) {
    LruKeeper keeper = keepers.get(usage.space());
    return keeper == null
        ? usage
        : new SpaceUsage(usage.space(), keeper.quota(), usage.chargedBytes(), usage.blobs());
  }

  @Override
  public void close() {
    store.close();
  }
}
