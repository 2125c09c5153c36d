package io.quiver.gateway.door.testing;

import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.NamedBlocks;
import io.quiver.client.testing.RunningServers;
import io.quiver.core.space.SpaceId;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.block.BlockBounds;
import io.quiver.gateway.door.cache.DoorCache;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Real cache servers, and caches of doors that share them. */
public final class TestDoors implements AutoCloseable {
  /** Blocks short enough for tests to have many. */
  public static final int BLOCK = 64 * 1024;

  private static final long BUFFERS = 64L << 20;

  private final RunningServers servers = RunningServers.inMemory(2);
  private final SharedNames names = new SharedNames();

  /** Returns settings with short blocks. */
  public static DoorConfig config() {
    return DoorConfig.of("test-store", "a key of the namespace".getBytes(StandardCharsets.UTF_8))
        .withBlocks(new BlockBounds(BLOCK, 16L << 20, 4 * BLOCK, 16));
  }

  /** Returns the servers. */
  public RunningServers servers() {
    return servers;
  }

  /** Returns a cache for one door. */
  public DoorCache cache(String door) {
    ClientConfig config =
        ClientConfig.of(servers.uris())
            .withJob(door)
            .withBufferBytes(BUFFERS)
            .withConnectTimeout(Duration.ofMillis(500))
            .withRequestTimeout(Duration.ofSeconds(2));
    CacheClient client = CacheClient.connect(config);
    return new OneCache(client, names.of(door, client));
  }

  private record OneCache(CacheClient blobs, NamedBlocks names) implements DoorCache {
    @Override
    public boolean usable() {
      return true;
    }

    @Override
    public SpaceId space() {
      return SpaceId.DEFAULT;
    }

    @Override
    public long plan() {
      return 0;
    }

    @Override
    public long bufferBytes() {
      return BUFFERS;
    }

    @Override
    public void close() {
      blobs.close();
    }
  }

  @Override
  public void close() {
    servers.close();
  }
}
