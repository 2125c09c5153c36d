package io.quiver.remote.s3;

import static java.util.Objects.requireNonNull;

import io.quiver.remote.FaultContract;
import io.quiver.remote.HostileObjectServer;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.S3Config;
import io.quiver.remote.direct.Origin;
import io.quiver.remote.retry.RetryingStore;
import java.io.IOException;
import java.net.URI;

/** Faults of an S3 service that is read without the SDK from the first request on. */
final class DirectFaultTest extends FaultContract {
  @Override
  protected RetryingStore store(HostileObjectServer server, RemoteConfig config)
      throws IOException {
    URI endpoint = URI.create(server.url("/"));
    RemoteConfig here =
        config.withS3(S3Config.DEFAULT.withEndpoint(endpoint).withRegion("us-east-1"));
    S3Stores service = S3Stores.connect(here, S3TestServer.keys("key", "secret"));
    Origin origin = new Origin(endpoint.getHost(), endpoint.getPort(), false);
    requireNonNull(service.direct())
        .show("bucket", new ObjectRoute(origin, "/bucket/", "us-east-1", "s3"));
    return new RetryingStore(service.source(new ObjectAddress("s3", "bucket", "")), here);
  }
}
