package io.quiver.remote.s3;

import io.quiver.remote.FaultContract;
import io.quiver.remote.HostileObjectServer;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.S3Config;
import io.quiver.remote.retry.RetryingStore;
import java.io.IOException;
import java.net.URI;

/** Faults of an S3 service. */
final class S3FaultTest extends FaultContract {
  @Override
  protected RetryingStore store(HostileObjectServer server, RemoteConfig config)
      throws IOException {
    RemoteConfig here =
        config.withS3(
            S3Config.DEFAULT.withEndpoint(URI.create(server.url("/"))).withRegion("us-east-1"));
    S3Stores service = S3Stores.connect(here, S3TestServer.keys("key", "secret"));
    return new RetryingStore(service.source(new ObjectAddress("s3", "bucket", "")), here);
  }
}
