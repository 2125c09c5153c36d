package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.LogCapture;
import io.quiver.testkit.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that change under a running server, and clients that show their own. */
class TlsReloadTest {
  private static final Duration BOUND = Duration.ofSeconds(10);

  @TempDir Path folder;
  private final AtomicLong clock = new AtomicLong();
  private TestCertificate first;
  private TestCertificate second;
  private Path certificate;
  private Path key;

  private record Line(String method, String path, long maxBodyBytes, Set<Role> roles)
      implements Route {
    @Override
    public boolean takesJson() {
      return false;
    }
  }

  @BeforeEach
  void make() throws Exception {
    first = TestCertificate.create(Files.createDirectory(folder.resolve("first")));
    second = TestCertificate.create(Files.createDirectory(folder.resolve("second")));
    certificate = folder.resolve("server.pem");
    key = folder.resolve("server.key");
    use(first.certificate(), first.key());
  }

  private void use(Path newCertificate, Path newKey) throws IOException {
    Files.copy(newCertificate, certificate, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(newKey, key, StandardCopyOption.REPLACE_EXISTING);
    clock.addAndGet(Duration.ofSeconds(2).toNanos());
  }

  private HttpServer start(TlsConfig config, AccessControl access) throws IOException {
    ReloadedFiles<SSLContext> context =
        ReloadedFiles.load(config.files(), () -> TlsFiles.load(config), clock::get);
    Routes routes = new Routes(access, "GET /");
    routes.add(
        new Line("GET", "/", 0, Set.of(Role.SERVER)),
        exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'1'}));
    return new HttpServer(
        new HttpServer.Setup(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            10,
            0,
            new RequestTimeouts.Limits(BOUND, BOUND, BOUND),
            Duration.ZERO,
            new ServerTls(context, config.trust().isPresent()),
            System::nanoTime),
        caller -> false,
        new DirectBuffers(4096, 4),
        routes,
        TrafficListener.NONE);
  }

  private static int status(HttpServer server, TlsConfig files) throws Exception {
    URI uri = URI.create("https://127.0.0.1:" + server.address().getPort());
    ClientCredentials own =
        files.keyPair().isEmpty()
            ? ClientCredentials.NONE
            : ClientCredentials.of(
                Map.of(
                    ClientCredentials.CERTIFICATE,
                    files.keyPair().get().certificateChain().toString(),
                    ClientCredentials.KEY,
                    files.keyPair().get().privateKey().toString()));
    try (ControlClient client =
        new ControlClient(List.of(uri), own.withTrust(files.trust().orElseThrow()), BOUND)) {
      return client.get("/", BOUND).status();
    }
  }

  private static TlsConfig trusting(TestCertificate other) {
    return TlsConfig.PLATFORM.withTrust(other.certificate());
  }

  @Test
  void aReplacedCertificateIsUsedWithoutARestart() throws Exception {
    try (HttpServer server = start(TlsConfig.server(certificate, key), AccessControl.OPEN)) {
      assertThat(status(server, trusting(first))).isEqualTo(200);
      use(second.certificate(), second.key());
      assertThat(status(server, trusting(second))).isEqualTo(200);
      assertThatThrownBy(() -> status(server, trusting(first))).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aBrokenFileOrAForeignKeyLeavesTheOldCertificateAndIsLoggedOnce() throws Exception {
    try (HttpServer server = start(TlsConfig.server(certificate, key), AccessControl.OPEN);
        LogCapture log = LogCapture.warnings(ReloadedFiles.class)) {
      use(second.certificate(), first.key());
      assertThat(status(server, trusting(first))).isEqualTo(200);
      clock.addAndGet(Duration.ofSeconds(2).toNanos());
      assertThat(status(server, trusting(first))).isEqualTo(200);
      assertThat(log.messages()).hasSize(1).first().asString().contains("server.pem");
    }
  }

  @Test
  void aClientsCertificateGivesItTheRoleOfItsName() throws Exception {
    Path roles = Files.writeString(folder.resolve("roles"), "cert server localhost\n");
    TlsConfig files =
        new TlsConfig(
            TlsConfig.server(certificate, key).keyPair(), Optional.of(second.certificate()));
    TlsConfig known =
        TlsConfig.server(second.certificate(), second.key()).withTrust(first.certificate());
    TlsConfig untrusted =
        TlsConfig.server(first.certificate(), first.key()).withTrust(first.certificate());
    try (HttpServer server = start(files, AccessControl.of(roles))) {
      assertThat(status(server, known)).as("a DNS name of the certificate").isEqualTo(200);
      assertThat(status(server, trusting(first))).as("no certificate").isEqualTo(401);
      assertThatThrownBy(() -> status(server, untrusted))
          .as("of another issuer")
          .isInstanceOf(IOException.class);
    }
    Files.writeString(roles, "cert viewer *\n");
    try (HttpServer server = start(files, AccessControl.of(roles))) {
      assertThat(status(server, known)).as("the wrong role").isEqualTo(403);
    }
  }

  @Test
  void aReplacedFileOfClientIssuersCountsWithoutARestart() throws Exception {
    Path roles = Files.writeString(folder.resolve("roles"), "cert server *\n");
    Path issuers = folder.resolve("issuers.pem");
    Files.copy(first.certificate(), issuers);
    TlsConfig files = TlsConfig.server(certificate, key).withTrust(issuers);
    TlsConfig client =
        TlsConfig.server(second.certificate(), second.key()).withTrust(first.certificate());
    try (HttpServer server = start(files, AccessControl.of(roles))) {
      assertThatThrownBy(() -> status(server, client)).isInstanceOf(IOException.class);
      Files.copy(second.certificate(), issuers, StandardCopyOption.REPLACE_EXISTING);
      clock.addAndGet(Duration.ofSeconds(2).toNanos());
      assertThat(status(server, client)).isEqualTo(200);
    }
  }
}
