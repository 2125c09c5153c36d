package io.quiver.gateway.door;

import io.quiver.core.name.BlockNames;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.text.PlainDuration;
import io.quiver.gateway.door.block.BlockBounds;
import io.quiver.gateway.door.cache.KnownItems;
import io.quiver.gateway.door.metadata.MetadataBounds;
import io.quiver.remote.RemoteObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of a door.
 *
 * @param storeId the store, spelled alike by all doors that shall share what they read
 * @param names makes the names of blocks; doors share under equal keys only
 * @param metadata bounds on details and listings, and how old they may be
 * @param blocks bounds on blocks
 * @param cachePatience a cache whose answers keep taking longer is left alone for a while
 * @param items the objects whose hashes a digest tells; empty without one
 * @param streams the numbers by which streams of reads are recognised; empty to recognise none
 */
public record DoorConfig(
    String storeId,
    BlockNames names,
    MetadataBounds metadata,
    BlockBounds blocks,
    Duration cachePatience,
    Optional<KnownItems> items,
    Optional<StreamRules> streams) {
  private static final Duration STANDARD_PATIENCE = Duration.ofSeconds(1);

  /** Checks the settings. */
  public DoorConfig {
    if (storeId.isBlank()) {
      throw new IllegalArgumentException(
          "a door without the id of its store; use the store's address");
    }
    if (!cachePatience.isPositive()) {
      throw new IllegalArgumentException(
          "a patience of "
              + PlainDuration.of(cachePatience)
              + " with the cache; it must be positive");
    }
  }

  /** Returns the usual settings. */
  public static DoorConfig of(String storeId, byte[] namespaceKey) {
    return new DoorConfig(
        storeId,
        new BlockNames(namespaceKey),
        MetadataBounds.STANDARD,
        BlockBounds.STANDARD,
        STANDARD_PATIENCE,
        Optional.empty(),
        Optional.of(StreamRules.STANDARD));
  }

  /** Returns a copy with another freshness of details and listings. */
  public DoorConfig withFreshness(Duration value) {
    return withMetadata(metadata.withFreshness(value));
  }

  /** Returns a copy with other bounds on details and listings. */
  public DoorConfig withMetadata(MetadataBounds value) {
    return new DoorConfig(storeId, names, value, blocks, cachePatience, items, streams);
  }

  /** Returns a copy with other bounds on blocks. */
  public DoorConfig withBlocks(BlockBounds value) {
    return new DoorConfig(storeId, names, metadata, value, cachePatience, items, streams);
  }

  /** Returns a copy with another patience. */
  public DoorConfig withCachePatience(Duration value) {
    return new DoorConfig(storeId, names, metadata, blocks, value, items, streams);
  }

  /** Returns a copy that shares the blobs of a digest's loaders. */
  public DoorConfig withItems(KnownItems value) {
    return new DoorConfig(
        storeId, names, metadata, blocks, cachePatience, Optional.of(value), streams);
  }

  /** Returns a copy that recognises streams by other numbers, or none. */
  public DoorConfig withStreams(Optional<StreamRules> value) {
    return new DoorConfig(storeId, names, metadata, blocks, cachePatience, items, value);
  }

  boolean isItem(String name) {
    return items.filter(known -> known.mention(name)).isPresent();
  }

  void distrust(RemoteObject object) {
    items.ifPresent(known -> known.distrust(object));
  }
}
