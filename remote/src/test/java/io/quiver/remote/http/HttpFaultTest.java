package io.quiver.remote.http;

import io.quiver.remote.FaultContract;
import io.quiver.remote.HostileObjectServer;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.retry.RetryingStore;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** Faults of a web server. */
final class HttpFaultTest extends FaultContract {
  @Override
  protected RetryingStore store(HostileObjectServer server, RemoteConfig config)
      throws IOException {
    URI target = URI.create(server.url("/x"));
    return new RetryingStore(
        new HttpSource(new HttpRequests(target, config), Map.of("x", target), target.toString()),
        config);
  }
}
