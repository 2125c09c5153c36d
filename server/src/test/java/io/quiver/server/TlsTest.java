package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import io.quiver.http.TlsConfig;
import io.quiver.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsTest {
  @TempDir Path folder;
  private Optional<TestCertificate> made = Optional.empty();

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void blobsTravelThroughTls(String algorithm) throws Exception {
    makeCertificate(algorithm);
    try (TestServer server = new TestServer(config -> config.withTls(tls()));
        TestClient client = tlsClient(server)) {
      assertThat(server.server.uri().getScheme()).isEqualTo("https");
      byte[] large = server.stored(new Random(1), 1_500_000);
      byte[] small = server.stored(new Random(2), 700);
      List<ContentHash> hashes = new ArrayList<>();
      hashes.add(ContentHash.ofContent(small));
      hashes.add(ContentHash.ofContent(large));
      byte[] payload = client.get(hashes, 2).payload();
      assertThat(payload).startsWith(small).endsWith(large).hasSize(1_500_700);
      byte[] fresh = new byte[100_000];
      String path = "/v1/blobs/" + ContentHash.ofContent(fresh).toHex();
      assertThat(client.ask("PUT " + path, "", fresh).status()).isEqualTo(201);
      assertThat(client.ask("GET " + path, "Connection: close\r\n", new byte[0]).body())
          .isEqualTo(fresh);
      assertThat(client.endsWithoutAnswer()).isTrue();
    }
  }

  @Test
  void plainHttpOnATlsPortHarmsNobody() throws Exception {
    makeCertificate("EC");
    try (TestServer server = new TestServer(config -> config.withTls(tls()))) {
      try (TestClient plain = server.client()) {
        plain.send("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");
        byte[] alert = plain.socket().getInputStream().readNBytes(1);
        assertThat(alert).as("a TLS alert, not an answer").isNotEqualTo(new byte[] {'H'});
      }
      try (TestClient client = tlsClient(server)) {
        assertThat(client.ask("GET /healthz").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void aHandshakeThatDoesNotEndIsCut() throws Exception {
    makeCertificate("EC");
    try (TestServer server =
            new TestServer(
                config -> config.withTls(tls()).withRequestTimeout(Duration.ofMillis(200)));
        TestClient plain = server.client()) {
      assertThat(plain.endsWithoutAnswer()).isTrue();
    }
  }

  @Test
  void filesThatAreNoCertificateOrKeyAreNamed() throws Exception {
    makeCertificate("EC");
    Files.writeString(made.orElseThrow().key(), "not a key");
    assertThatThrownBy(() -> new TestServer(config -> config.withTls(tls())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("key.pem")
        .hasMessageContaining("PKCS#8");
    Files.writeString(made.orElseThrow().certificate(), "");
    assertThatThrownBy(() -> new TestServer(config -> config.withTls(tls())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cert.pem");
  }

  private TlsConfig tls() {
    TestCertificate files = made.orElseThrow();
    return TlsConfig.server(files.certificate(), files.key());
  }

  private TestClient tlsClient(TestServer server) throws Exception {
    int port = server.server.address().getPort();
    return new TestClient(
        made.orElseThrow().clientContext().getSocketFactory().createSocket("127.0.0.1", port));
  }

  private void makeCertificate(String algorithm) throws Exception {
    made = Optional.of(TestCertificate.create(folder, "ip:127.0.0.1", algorithm));
  }
}
