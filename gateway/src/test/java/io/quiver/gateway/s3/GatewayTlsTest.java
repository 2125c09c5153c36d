package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.http.TlsConfig;
import io.quiver.testkit.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Random;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** The endpoint with a certificate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GatewayTlsTest {
  private final byte[] bytes = new byte[3 << 20];
  private TestCertificate certificate;
  private GatewayScene scene;
  private SdkHttpClient http;
  private S3Client client;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    new Random(9).nextBytes(bytes);
    certificate = TestCertificate.create(Files.createDirectory(folder.resolve("own")));
    TlsConfig tls = TlsConfig.server(certificate.certificate(), certificate.key());
    scene = GatewayScene.start(folder, config -> config.withTls(tls), GatewayScene.ownKey());
    scene.put("object", bytes);
    http = Apache5HttpClient.builder().tlsTrustManagersProvider(() -> trust(certificate)).build();
    client = scene.builder(GatewayScene.KEY, GatewayScene.SECRET).httpClient(http).build();
  }

  @AfterAll
  void close() throws IOException {
    client.close();
    http.close();
    scene.close();
  }

  private static TrustManager[] trust(TestCertificate of) {
    try {
      KeyStore store =
          KeyStore.getInstance(of.keystore().toFile(), TestCertificate.PASSWORD.toCharArray());
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("server", store.getCertificate("server"));
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(trusted);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void objectsAreReadAndWrittenOverTls() {
    assertThat(scene.gateway.uri()).hasScheme("https");
    assertThat(client.getObjectAsBytes(r -> r.bucket("data").key("object")).asByteArray())
        .isEqualTo(bytes);
    client.putObject(r -> r.bucket("files").key("new"), RequestBody.fromBytes(bytes));
    assertThat(
            client
                .getObjectAsBytes(r -> r.bucket("files").key("new").range("bytes=1000-1999"))
                .asByteArray())
        .hasSize(1000)
        .startsWith(bytes[1000], bytes[1001]);
  }

  @Test
  void presignedAddressesNameTheProtocol() throws Exception {
    try (HttpClient browser =
            HttpClient.newBuilder().sslContext(certificate.clientContext()).build();
        S3Presigner presigner = scene.presigner()) {
      URI uri =
          presigner
              .presignGetObject(r ->
                  r.signatureDuration(Duration.ofMinutes(5))
                      .getObjectRequest(g -> g.bucket("data").key("object")))
              .url()
              .toURI();
      assertThat(uri).hasScheme("https");
      HttpRequest request = HttpRequest.newBuilder(uri).build();
      assertThat(browser.send(request, BodyHandlers.ofByteArray()).body()).isEqualTo(bytes);
    }
  }

  @Test
  void clientsThatDoNotKnowTheIssuerSendNothing() {
    try (S3Client stranger =
        scene
            .builder(GatewayScene.KEY, GatewayScene.SECRET)
            .overrideConfiguration(o -> o.retryStrategy(b -> b.maxAttempts(1)))
            .build()) {
      assertThatThrownBy(() -> stranger.getObject(r -> r.bucket("data").key("object")))
          .isInstanceOf(SdkClientException.class)
          .hasRootCauseInstanceOf(Exception.class)
          .hasCauseInstanceOf(SSLException.class);
    }
  }

  @Test
  void aRequestWithoutTlsIsNotAnswered() throws Exception {
    try (Socket socket = new Socket()) {
      socket.connect(scene.gateway.address());
      socket
          .getOutputStream()
          .write(
              "GET /data/object HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      try {
        socket.getInputStream().transferTo(answer);
      } catch (IOException reset) {
        assertThat(reset).hasMessageContaining("reset");
      }
      assertThat(answer.toString(StandardCharsets.ISO_8859_1)).doesNotContain("HTTP/1.1");
    }
    assertThat(client.headObject(r -> r.bucket("data").key("object")).contentLength())
        .isEqualTo(bytes.length);
  }
}
