package io.quiver.remote.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.remote.HostileObjectServer;
import io.quiver.remote.HostileObjectServer.Reply;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.S3Config;
import io.quiver.remote.retry.RetryingStore;
import io.quiver.testkit.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Objects are read without the SDK once it has shown the way, and by it where that ends. */
@Timeout(60)
final class DirectReadsTest {
  private static final byte[] CONTENT = "what an object holds".getBytes(StandardCharsets.UTF_8);
  private static final String SENT_WITHOUT_LENGTH =
      """
      HTTP/1.1 206 OK
      ETag: "tag"
      Content-Range: bytes 0-19/20
      Transfer-Encoding: chunked

      14
      what an object holds
      0

      """
          .replace("\n", "\r\n");

  @TempDir private Path scratch;

  private static HostileObjectServer serve(BiFunction<HostileObjectServer, Integer, Reply> script)
      throws IOException {
    HostileObjectServer[] self = new HostileObjectServer[1];
    self[0] = new HostileObjectServer(CONTENT, (number, request) -> script.apply(self[0], number));
    return self[0];
  }

  private static RemoteStore store(HostileObjectServer server, AwsCredentialsProvider credentials)
      throws IOException {
    RemoteConfig config =
        RemoteConfig.DEFAULT.withS3(
            S3Config.DEFAULT.withEndpoint(URI.create(server.url("/"))).withRegion("us-east-1"));
    S3Stores service = S3Stores.connect(config, credentials);
    return new RetryingStore(service.source(new ObjectAddress("s3", "bucket", "")), config);
  }

  private static void read(RemoteStore store) throws IOException {
    assertThat(read(store, "x", CONTENT.length)).isEqualTo(CONTENT);
  }

  private static byte[] read(RemoteStore store, String name, int bytes) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(bytes);
    store.read(name, 0, target);
    return target.array();
  }

  /** Returns who asked, by request: the SDK names its invocations. */
  private static List<String> askers(HostileObjectServer server) {
    IntFunction<String> asker =
        i -> server.requests.get(i).header("amz-sdk-invocation-id").isEmpty() ? "direct" : "sdk";
    return IntStream.range(0, server.requests.size()).mapToObj(asker).toList();
  }

  @Test
  void theFirstAnswerShowsTheWay() throws Exception {
    AwsSessionCredentials session = AwsSessionCredentials.create("key", "secret", "token");
    try (HostileObjectServer server = serve((self, number) -> self.good());
        RemoteStore store = store(server, StaticCredentialsProvider.create(session))) {
      for (int i = 0; i < 3; i++) {
        read(store);
      }
      assertThat(askers(server)).containsExactly("sdk", "direct", "direct");
      assertThat(server.requests)
          .allSatisfy(request -> {
            assertThat(request.path()).isEqualTo("/bucket/x");
            assertThat(request.header("x-amz-security-token")).isEqualTo("token");
            assertThat(request.header("authorization")).contains("us-east-1/s3/aws4_request");
          });
    }
  }

  @Test
  void anAnswerThatIsNotPlainIsLeftToTheSdk() throws Exception {
    try (HostileObjectServer server =
            serve((self, number) ->
                switch (number) {
                  case 1, 2 -> self.raw(SENT_WITHOUT_LENGTH, new byte[0], true);
                  default -> self.good();
                });
        RemoteStore store = store(server, S3TestServer.keys("key", "secret"))) {
      for (int i = 0; i < 3; i++) {
        read(store);
      }
      assertThat(askers(server)).containsExactly("sdk", "direct", "sdk", "direct");
    }
  }

  @Test
  void theSdkIsAskedAfterARefusal() throws Exception {
    try (HostileObjectServer server =
            serve((self, number) -> number == 1 ? self.status(403) : self.good());
        RemoteStore store = store(server, S3TestServer.keys("key", "secret"))) {
      read(store);
      assertThatThrownBy(() -> read(store))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("check the credentials");
      read(store);
      read(store);
      assertThat(askers(server)).containsExactly("sdk", "direct", "sdk", "direct");
    }
  }

  @Test
  void aConnectionThatTheServiceClosedMeanwhileCostsNoRetry() throws Exception {
    String head = "HTTP/1.1 206 OK\r\nContent-Length: 20\r\nContent-Range: bytes 0-19/20\r\n\r\n";
    try (HostileObjectServer server = serve((self, number) -> self.raw(head, CONTENT, false));
        RemoteStore store = store(server, S3TestServer.keys("key", "secret"))) {
      for (int i = 0; i < 20; i++) {
        read(store);
      }
      assertThat(server.requests).hasSize(20);
      assertThat(((RetryingStore) store).retriesLeft())
          .isEqualTo(RemoteConfig.DEFAULT.retries().budget());
    }
  }

  @Test
  void namesOfAllKindsAreReadFromAServiceThatChecksSignatures() throws Exception {
    List<String> names =
        List.of("plain", "a b+c&d=e", "f;g,h'i(1)!*~", "ü/漢字", "50%", "c:\\d", "q?r#s", "[t]@$");
    try (S3TestServer server = S3TestServer.start();
        RemoteStore store = server.store("odd/")) {
      for (String name : names) {
        byte[] content = ("of " + name).getBytes(StandardCharsets.UTF_8);
        server.put("odd/" + name, content);
        for (int i = 0; i < 2; i++) {
          assertThat(read(store, name, content.length)).as(name).isEqualTo(content);
        }
      }
    }
  }

  @Test
  void encryptedServicesAreReadWithTheAuthorityThatWasGiven() throws Exception {
    try (S3TestServer server = S3TestServer.startTls(TestCertificate.create(scratch))) {
      server.put("x", CONTENT);
      S3Stores service = S3Stores.connect(server.config());
      try (RemoteStore store =
          new RetryingStore(
              service.source(new ObjectAddress("s3", S3TestServer.BUCKET, "")), server.config())) {
        for (int i = 0; i < 3; i++) {
          read(store);
        }
      }
    }
  }
}
