package io.quiver.benchmarks.demo.transparent;

import io.quiver.client.link.DoorLink;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.stream.StreamRules;
import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.DoorStatistics;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.door.cache.PlannedDoorCache;
import io.quiver.gateway.mount.Mount;
import io.quiver.gateway.mount.MountConfig;
import io.quiver.gateway.s3.GatewayConfig;
import io.quiver.gateway.s3.S3Gateway;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.gateway.s3.store.NoWrites;
import io.quiver.gateway.s3.store.OpenStore;
import io.quiver.http.ClientCredentials;
import io.quiver.node.EmbeddedCluster;
import io.quiver.node.NodeException;
import io.quiver.remote.throttle.Throttle;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The doors of one run: a mount and an S3 endpoint over one bucket, with a cache of one kind. */
final class DemoDoors implements AutoCloseable {
  /** Doors' memory is small, so that what they find again comes from the cache. */
  private static final long MEMORY_BYTES = 24L << 20;

  private static final long AHEAD_BYTES = 8L << 20;
  private static final Duration FRESHNESS = Duration.ofMinutes(10);
  private static final byte[] NAMESPACE = "the demo's namespace".getBytes(StandardCharsets.UTF_8);

  private final TransparentMode mode;
  private final Optional<EmbeddedCluster> cluster;
  private final List<Door> doors = new ArrayList<>();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final S3Gateway endpoint;
  private final Mount mount;

  /**
   * Opens the doors.
   *
   * @param line the slow line to the bucket
   * @param folder an empty folder for cache and mount
   * @param cacheBytes the size of the cache
   * @param keys the keys that the endpoint knows
   */
  DemoDoors(
      TransparentMode mode,
      BucketServer bucket,
      Throttle line,
      Path folder,
      long cacheBytes,
      AccessKeys keys)
      throws IOException, NodeException, InterruptedException {
    this.mode = mode;
    try {
      cluster = cluster(folder.resolve("cache"), cacheBytes);
      Door files = door("mount", bucket, line);
      mount =
          opened(
              Mount.open(
                  files,
                  Files.createDirectories(folder.resolve("mnt")),
                  MountConfig.of(BucketServer.BUCKET, FRESHNESS)));
      endpoint =
          opened(
              S3Gateway.start(
                  GatewayConfig.on(
                      "127.0.0.1", 0, Map.of(BucketServer.BUCKET, BucketServer.BUCKET), keys),
                  (_, _) ->
                      new OpenStore(
                          door("gateway", bucket, line), new NoWrites(BucketServer.BUCKET)),
                  InstantSource.system()));
    } catch (IOException | NodeException | InterruptedException | RuntimeException failure) {
      close();
      throw failure;
    }
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  private Optional<EmbeddedCluster> cluster(Path folder, long bytes)
      throws NodeException, InterruptedException {
    return switch (mode) {
      case NONE -> Optional.empty();
      case LRU -> Optional.of(opened(EmbeddedCluster.open(folder, bytes, PlannerKind.LRU)));
      case STREAMS ->
          Optional.of(opened(EmbeddedCluster.open(folder, bytes, PlannerKind.MARGINAL)));
    };
  }

  private Door door(String name, BucketServer bucket, Throttle line) throws IOException {
    DoorConfig config = DoorConfig.of("s3://" + BucketServer.BUCKET, NAMESPACE);
    config =
        config
            .withFreshness(FRESHNESS)
            .withStreams(streams())
            .withBlocks(config.blocks().withMemoryBytes(MEMORY_BYTES).withAheadBytes(AHEAD_BYTES));
    Door door = CachedDoor.open(config, bucket.behind(line), cache(name));
    synchronized (doors) {
      doors.add(door);
    }
    return name.equals("mount") ? opened(door) : door;
  }

  /** Returns the rules of recognition; a plain cache has none. */
  private Optional<StreamRules> streams() {
    return mode == TransparentMode.STREAMS ? Optional.of(StreamRules.STANDARD) : Optional.empty();
  }

  private DoorCache cache(String name) throws IOException {
    if (cluster.isEmpty()) {
      return new NoCache();
    }
    return PlannedDoorCache.open(
        new DoorLink.Settings(
            "demo-" + name,
            "",
            List.of(cluster.get().uri()),
            ClientCredentials.NONE,
            UnaryOperator.identity()),
        MEMORY_BYTES);
  }

  /** Returns the folder where programs find the bucket. */
  Path mountedAt() {
    return mount.target();
  }

  /** Returns the address of the endpoint. */
  URI endpoint() {
    return endpoint.uri();
  }

  /** Returns the cluster, if there is one. */
  Optional<EmbeddedCluster> cluster() {
    return cluster;
  }

  /** Returns the bytes that both doors have read from the store. */
  long storeBytes() {
    return statistics().stream().mapToLong(DoorStatistics::storeBytes).sum();
  }

  /** Returns the requests of both doors to the store. */
  long storeReads() {
    return statistics().stream().mapToLong(DoorStatistics::storeReads).sum();
  }

  private List<DoorStatistics> statistics() {
    synchronized (doors) {
      return doors.stream().map(Door::statistics).toList();
    }
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception failure) {
        // What could not be closed ends with the process; the other parts are closed all the same.
        org.slf4j.LoggerFactory.getLogger(DemoDoors.class).warn("a part stayed open", failure);
      }
    }
  }
}
