package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.http.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerConfigTest {
  private final ServerConfig config = ServerConfig.on("127.0.0.1", 0);

  @Test
  void withersChangeOneValueEach() {
    assertThat(config.withName("n").name()).isEqualTo("n");
    assertThat(config.withMaxConnections(3).limits().connections()).isEqualTo(3);
    assertThat(config.withInFlightBytes(2L << 30, 1L << 30).limits().inFlightBytes())
        .isEqualTo(2L << 30);
    assertThat(config.withInFlightBytes(2L << 30, 1L << 30).limits().connectionInFlightBytes())
        .isEqualTo(1L << 30);
    assertThat(config.withMaxResponseBytes(5).limits().responseBytes()).isEqualTo(5);
    assertThat(config.withMaxBlobBytes(5).limits().blobBytes()).isEqualTo(5);
    Duration second = Duration.ofSeconds(1);
    assertThat(config.withIdleTimeout(second).timeouts().idle()).isEqualTo(second);
    assertThat(config.withRequestTimeout(second).timeouts().request()).isEqualTo(second);
    assertThat(config.withStallTimeout(second).timeouts().stall()).isEqualTo(second);
    assertThat(config.withBudgetTimeout(second).timeouts().budget()).isEqualTo(second);
    assertThat(config.withClaimLease(second).timeouts().claimLease()).isEqualTo(second);
    assertThat(config.withMaxClaims(9).limits().claims()).isEqualTo(9);
    TlsConfig tls = TlsConfig.server(Path.of("c"), Path.of("k"));
    assertThat(config.withTls(tls).tls()).contains(tls);
  }

  @Test
  void valuesThatMakeNoSenseAreNamed() {
    assertThatThrownBy(() -> ServerConfig.on("h", 70_000)).hasMessageContaining("70000");
    assertThatThrownBy(() -> ServerConfig.on(" ", 1)).hasMessageContaining("host");
    assertThatThrownBy(() -> config.withMaxConnections(0)).hasMessageContaining("maxConnections");
    assertThatThrownBy(() -> config.withClaimLease(Duration.ZERO))
        .hasMessageContaining("claimLease must be positive, not 0 ms");
    assertThatThrownBy(() -> config.withMaxBlobBytes(1L << 31)).hasMessageContaining("2 GiB");
    assertThatThrownBy(() -> config.withInFlightBytes(1 << 20, 1 << 20))
        .hasMessageContaining("less than one blob");
    assertThatThrownBy(() -> config.withInFlightBytes(1 << 20, 1L << 30))
        .hasMessageContaining("less than one connection's");
  }
}
