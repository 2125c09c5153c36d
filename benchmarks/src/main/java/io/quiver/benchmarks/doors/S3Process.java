package io.quiver.benchmarks.doors;

import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.s3.GatewayConfig;
import io.quiver.gateway.s3.S3Gateway;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.gateway.s3.store.FolderWrites;
import io.quiver.gateway.s3.store.OpenStore;
import io.quiver.remote.Secret;
import io.quiver.remote.file.FileStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/**
 * Our S3 endpoint over a folder, with a door that has memory for all objects.
 *
 * <p>Arguments: the folder, which is the bucket {@value #BUCKET}, an access key and its secret, and
 * whether streams are recognised: on or off. Prints its port and ends when its standard input does.
 */
public final class S3Process {
  /** The bucket's name. */
  static final String BUCKET = "bench";

  private static final Duration FRESHNESS = Duration.ofSeconds(5);
  private static final String NAMESPACE = "a benchmark's namespace";
  private static final long MEMORY = 1L << 30;

  private S3Process() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    AccessKeys keys = AccessKeys.of(new AccessKeys.KeyPair(arguments[1], Secret.of(arguments[2])));
    GatewayConfig config =
        GatewayConfig.on("127.0.0.1", 0, Map.of(BUCKET, folder.toString()), keys);
    try (S3Gateway gateway =
        S3Gateway.start(config, (_, _) -> open(folder, arguments[3]), InstantSource.system())) {
      System.out.println(gateway.address().getPort());
      System.out.flush();
      MountProcess.awaitEndOfInput();
    }
  }

  private static OpenStore open(Path folder, String streams) throws IOException {
    DoorConfig config =
        DoorConfig.of(folder.toUri().toString(), NAMESPACE.getBytes(StandardCharsets.UTF_8))
            .withFreshness(FRESHNESS);
    config =
        config
            .withBlocks(config.blocks().withMemoryBytes(MEMORY))
            .withStreams(MountProcess.streams(streams));
    return new OpenStore(
        CachedDoor.open(config, FileStore.open(folder), new NoCache()), new FolderWrites(folder));
  }
}
