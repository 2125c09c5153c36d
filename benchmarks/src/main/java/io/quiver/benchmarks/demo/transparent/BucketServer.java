package io.quiver.benchmarks.demo.transparent;

import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.s3.GatewayConfig;
import io.quiver.gateway.s3.S3Gateway;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.gateway.s3.store.NoWrites;
import io.quiver.gateway.s3.store.OpenStore;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.S3Config;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.open.RemoteStores;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * The bucket: an S3 service over a folder, which doors reach through one slow line that they share.
 */
final class BucketServer implements AutoCloseable {
  /** The name of the bucket, here and at the endpoint of the doors. */
  static final String BUCKET = "demo";

  private static final byte[] NAMESPACE = "a bucket's namespace".getBytes(StandardCharsets.UTF_8);

  private final S3Gateway gateway;

  private BucketServer(S3Gateway gateway) {
    this.gateway = gateway;
  }

  /** Serves a folder on a free port of this machine. */
  static BucketServer start(Path folder) throws IOException {
    return new BucketServer(
        S3Gateway.start(
            GatewayConfig.on(
                "127.0.0.1", 0, Map.of(BUCKET, folder.toString()), AccessKeys.anonymous()),
            (_, _) ->
                new OpenStore(
                    CachedDoor.open(
                        DoorConfig.of(folder.toUri().toString(), NAMESPACE),
                        FileStore.open(folder),
                        new NoCache()),
                    new NoWrites(BUCKET)),
            InstantSource.system()));
  }

  /** Returns the bucket as a store behind a line. */
  RemoteStore behind(Throttle line) throws IOException {
    S3Config service =
        S3Config.DEFAULT.withEndpoint(gateway.uri()).withRegion("us-east-1").withAnonymous(true);
    return new ThrottledStore(
        RemoteStores.open("s3://" + BUCKET + "/", RemoteConfig.DEFAULT.withS3(service)), line);
  }

  @Override
  public void close() throws IOException {
    gateway.close();
  }
}
