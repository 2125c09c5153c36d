package io.quiver.gateway.door.testing;

import io.quiver.client.ClientConfig;
import io.quiver.client.testing.RunningServers;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.block.BlockBounds;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.cache.FixedDoorCache;
import java.nio.charset.StandardCharsets;

/** Real cache servers, and caches of doors that share them. */
public final class TestDoors implements AutoCloseable {
  /** Blocks short enough for tests to have many. */
  public static final int BLOCK = 64 * 1024;

  private static final long MEMORY = 16L << 20;

  private static final int SERVERS = 2;

  private final RunningServers servers = RunningServers.inMemory(SERVERS);

  /** Returns settings with short blocks. */
  public static DoorConfig config() {
    return DoorConfig.of("test-store", "a key of the namespace".getBytes(StandardCharsets.UTF_8))
        .withBlocks(new BlockBounds(BLOCK, MEMORY, 4 * BLOCK, 16));
  }

  /** Returns the servers. */
  public RunningServers servers() {
    return servers;
  }

  /** Returns a cache for one door. */
  public DoorCache cache(String door) {
    ClientConfig config = ClientConfig.of(servers.uris()).withJob(door);
    return new FixedDoorCache(config, SpaceId.DEFAULT, MEMORY);
  }

  /** Has the servers lose a blob. */
  public void evict(ContentHash hash) {
    for (int i = 0; i < SERVERS; i++) {
      servers.store(i).evict(hash, SpaceId.DEFAULT);
    }
  }

  @Override
  public void close() {
    servers.close();
  }
}
