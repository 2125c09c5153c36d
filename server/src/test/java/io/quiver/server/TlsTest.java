package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsTest {
  private static final String PASSWORD = "secret";

  /** Making a key takes longer than the tests; each kind is made once. */
  @TempDir static Path stores;

  @TempDir Path folder;
  private Path certificate;
  private Path key;

  @BeforeEach
  void names() {
    certificate = folder.resolve("server.crt");
    key = folder.resolve("server.key");
  }

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
    Files.writeString(key, "not a key");
    assertThatThrownBy(() -> new TestServer(config -> config.withTls(tls())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("server.key")
        .hasMessageContaining("PKCS#8");
    Files.writeString(certificate, "");
    assertThatThrownBy(() -> new TestServer(config -> config.withTls(tls())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("server.crt");
  }

  private TlsConfig tls() {
    return new TlsConfig(certificate, key);
  }

  private TestClient tlsClient(TestServer server) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream pem = Files.newInputStream(certificate)) {
      X509Certificate own =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
      trusted.setCertificateEntry("server", own);
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    int port = server.server.address().getPort();
    return new TestClient(context.getSocketFactory().createSocket("127.0.0.1", port));
  }

  /** A self-signed certificate from the JDK's own tool, taken apart into PEM files. */
  private void makeCertificate(String algorithm) throws Exception {
    Path store = stores.resolve(algorithm + ".p12");
    if (!Files.exists(store)) {
      runKeytool(algorithm, store);
    }
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    Files.writeString(
        key, pem("PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("server").getEncoded()));
  }

  private static void runKeytool(String algorithm, Path store) throws Exception {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Path log = stores.resolve("keytool.log");
    String command =
        keytool
            + " -J-XX:TieredStopAtLevel=1 -genkeypair -alias server -dname CN=localhost"
            + " -ext san=ip:127.0.0.1 -validity 2 -storetype PKCS12 -storepass secret -keyalg "
            + (algorithm.equals("RSA") ? "RSA -keysize 2048" : algorithm)
            + " -keystore "
            + store;
    Process process =
        new ProcessBuilder(command.split(" "))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
  }

  private static String pem(String kind, byte[] der) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END "
        + kind
        + "-----\n";
  }
}
