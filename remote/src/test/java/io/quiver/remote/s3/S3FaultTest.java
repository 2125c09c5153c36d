package io.quiver.remote.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.remote.FaultContract;
import io.quiver.remote.HostileObjectServer;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.S3Config;
import io.quiver.remote.retry.RetryingStore;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

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

  @Test
  void hostileKeysReachTheServiceAsTheyAre() throws Exception {
    byte[] content = "content".getBytes(StandardCharsets.UTF_8);
    List<String> keys =
        List.of(
            "a/../b",
            "../escape",
            "./x",
            "a//b",
            "/lead",
            "/",
            "//lead//x",
            "..",
            "a%2e%2e/b",
            "100%",
            "\u00fc ?#",
            "k".repeat(1024));
    try (HostileObjectServer server =
            new HostileObjectServer(content, self -> (number, request) -> self.good());
        RetryingStore store = store(server, RemoteConfig.DEFAULT)) {
      for (String key : keys) {
        int before = server.paths().size();
        RemoteObject object = store.details(key).object();
        store.read(object, 0, ByteBuffer.allocate(7));
        assertThat(object.name()).isEqualTo(key);
        assertThat(server.paths().subList(before, before + 2))
            .extracting(path -> URLDecoder.decode(path, StandardCharsets.UTF_8))
            .as(key)
            .containsOnly("/bucket/" + key);
      }
    }
  }
}
