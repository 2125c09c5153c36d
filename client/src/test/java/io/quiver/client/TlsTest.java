package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quiver.client.testing.RunningServers;
import io.quiver.client.testing.TestBlobs;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.http.TlsConfig;
import io.quiver.testkit.HostileServer;
import io.quiver.testkit.TestCertificate;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections: who is trusted and what happens when trust fails. */
final class TlsTest {
  @TempDir static Path folder;
  private static TestCertificate right;
  private static TestCertificate elsewhere;

  @BeforeAll
  static void makeCertificates() throws Exception {
    right = TestCertificate.create(Files.createDirectory(folder.resolve("right")), "ip:127.0.0.1");
    elsewhere =
        TestCertificate.create(
            Files.createDirectory(folder.resolve("elsewhere")), "dns:elsewhere.example");
  }

  @Test
  void movesBlobsOverTlsWithAnAuthorityOfOnesOwn() {
    try (RunningServers servers = servers(2, right);
        CacheClient client =
            CacheClient.connect(config(servers.uris()).withTrust(right.certificate()))) {
      List<Blob> blobs = TestBlobs.some(new Random(1), 50, 100_000);
      assertThat(client.put(blobs).allHere()).isTrue();
      try (BlobAnswer answer = client.get(TestBlobs.hashes(blobs))) {
        for (int i = 0; i < blobs.size(); i++) {
          assertThat(answer.bytes(i)).isEqualTo(blobs.get(i).content());
        }
      }
    }
  }

  @Test
  void doesNotTalkToAServerItDoesNotTrust() {
    try (RunningServers servers = servers(1, right)) {
      requireUnreachable(config(servers.uris()), "PKIX");
    }
  }

  @Test
  void doesNotTalkToAServerWithAnotherName() {
    try (RunningServers servers = servers(1, elsewhere)) {
      requireUnreachable(config(servers.uris()).withTrust(elsewhere.certificate()), "127.0.0.1");
    }
  }

  @Test
  void aServerThatSpeaksNoTlsIsUnreachable() {
    try (HostileServer server = new HostileServer(c -> c.send("HTTP/1.1 400 Bad\r\n\r\n"))) {
      requireUnreachable(config(List.of(encrypted(server))), "no connection");
    }
  }

  @Test
  void aHandshakeThatNeverEndsIsTooLate() {
    try (HostileServer server = new HostileServer(HostileServer.Conversation::silence);
        CacheClient client =
            CacheClient.connect(
                config(List.of(encrypted(server))).withConnectTimeout(Duration.ofMillis(200)));
        BlobAnswer answer = client.get(TestBlobs.hashes(TestBlobs.some(new Random(2), 3, 9)))) {
      assertThat(answer.failures().getFirst().kind()).isEqualTo(FailureKind.TIMEOUT);
    }
  }

  @Test
  void aTrustFileWithoutCertificatesIsRefusedWhenTheClientIsMade() throws Exception {
    Path nonsense = Files.writeString(folder.resolve("nonsense.pem"), "nonsense");
    ClientConfig config = config(List.of(URI.create("https://127.0.0.1:1")));
    for (Path file : List.of(nonsense, folder.resolve("missing.pem"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CacheClient.connect(config.withTrust(file)).close())
          .withMessageContaining(file.toString());
    }
  }

  private static void requireUnreachable(ClientConfig config, String reason) {
    try (CacheClient client = CacheClient.connect(config);
        BlobAnswer answer = client.get(TestBlobs.hashes(TestBlobs.some(new Random(3), 3, 9)))) {
      assertThat(answer.hits()).isZero();
      ServerFailure failure = answer.failures().getFirst();
      assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE);
      assertThat(failure.reason()).contains(reason);
    }
  }

  private static URI encrypted(HostileServer server) {
    return URI.create(server.uri().toString().replace("http:", "https:"));
  }

  private static RunningServers servers(int count, TestCertificate certificates) {
    TlsConfig tls = TlsConfig.server(certificates.certificate(), certificates.key());
    return RunningServers.inMemory(count, config -> config.withTls(tls));
  }

  private static ClientConfig config(List<URI> servers) {
    return ClientConfig.of(servers)
        .withParanoid(true)
        .withRetries(0)
        .withConnectTimeout(Duration.ofSeconds(20));
  }
}
