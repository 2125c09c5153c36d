package io.quiver.benchmarks.doors;

import io.quiver.core.stream.StreamRules;
import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.door.metadata.MetadataBounds;
import io.quiver.gateway.s3.GatewayConfig;
import io.quiver.gateway.s3.S3Gateway;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.gateway.s3.store.NoWrites;
import io.quiver.gateway.s3.store.OpenStore;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.Secret;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Our S3 endpoint over a store that answers late, as one across a network does.
 *
 * <p>Arguments: the number of objects, the bytes of each, the latency of the store in milliseconds,
 * an access key and its secret, and whether streams of reads are recognised and read ahead. Prints
 * its port and ends when its standard input does.
 */
public final class SlowS3Process {
  private static final String NAMESPACE = "a benchmark's namespace";
  private static final long REMEMBERED_BYTES = 8L << 20;

  /** More than anything that is read here: only the latency counts. */
  private static final long BYTES_PER_SECOND = 10_000_000_000L;

  private SlowS3Process() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    MadeFiles files = new MadeFiles(Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]));
    RemoteStore store = store(files, Duration.ofMillis(Long.parseLong(arguments[2])));
    AccessKeys keys = AccessKeys.of(new AccessKeys.KeyPair(arguments[3], Secret.of(arguments[4])));
    DoorConfig config =
        DoorConfig.of(store.uri(), NAMESPACE.getBytes(StandardCharsets.UTF_8))
            .withMetadata(
                new MetadataBounds(MetadataBounds.S3_FRESHNESS, REMEMBERED_BYTES, REMEMBERED_BYTES))
            .withStreams(
                Boolean.parseBoolean(arguments[5])
                    ? Optional.of(StreamRules.STANDARD)
                    : Optional.empty());
    GatewayConfig gateway =
        GatewayConfig.on("127.0.0.1", 0, Map.of(S3Process.BUCKET, store.uri()), keys);
    try (S3Gateway running =
        S3Gateway.start(
            gateway,
            (_, _) ->
                new OpenStore(CachedDoor.open(config, store, new NoCache()), new NoWrites("made")),
            InstantSource.system())) {
      System.out.println(running.address().getPort());
      System.out.flush();
      MountProcess.awaitEndOfInput();
    }
  }

  /** Returns a store whose every answer takes this long to begin. */
  static RemoteStore store(MadeFiles files, Duration latency) {
    return new ThrottledStore(
        new MadeStore(files),
        Throttle.realTime(BYTES_PER_SECOND, new Throttle.Latency(latency, Duration.ZERO, 0)));
  }
}
