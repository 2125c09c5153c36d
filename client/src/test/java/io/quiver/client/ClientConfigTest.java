package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks valid and refused settings. */
final class ClientConfigTest {
  private static final ClientConfig CONFIG = ClientConfig.of(List.of(URI.create("http://a:1")));

  @Test
  void eachWitherChangesOneValue() {
    ClientConfig config =
        CONFIG
            .withJob("job")
            .withDataset("images")
            .withConnectionsPerServer(3)
            .withConnectTimeout(Duration.ofMillis(4))
            .withRequestTimeout(Duration.ofMillis(5))
            .withRetries(6)
            .withMaxBlobBytes(7)
            .withBufferBytes(8 << 20)
            .withTrust(Path.of("ca.pem"))
            .withParanoid(true);
    assertThat(config.servers()).isEqualTo(CONFIG.servers());
    assertThat(config.job()).isEqualTo("job");
    assertThat(config.dataset()).isEqualTo("images");
    assertThat(config.connectionsPerServer()).isEqualTo(3);
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofMillis(4));
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofMillis(5));
    assertThat(config.retries()).isEqualTo(6);
    assertThat(config.maxBlobBytes()).isEqualTo(7);
    assertThat(config.bufferBytes()).isEqualTo(8 << 20);
    assertThat(config.credentials().tls().trust()).contains(Path.of("ca.pem"));
    assertThat(config.paranoid()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a:1", "ftp://a:1", "http://a:1/path", "http://a:1?x", "http://u@a:1", "http:x"})
  void refusesWhatIsNoServer(String uri) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientConfig.of(List.of(URI.create(uri))))
        .withMessageContaining("http://host:port");
  }

  @Test
  void refusesNoServersAndTheSameServerTwice() {
    assertThatIllegalArgumentException().isThrownBy(() -> ClientConfig.of(List.of()));
    List<URI> twice = List.of(URI.create("http://a"), URI.create("http://a:80/"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientConfig.of(twice))
        .withMessageContaining("twice");
  }

  @Test
  void refusesValuesOutOfRangeAndNamesThem() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CONFIG.withConnectionsPerServer(0))
        .withMessageContaining("connections per server is 0");
    assertThatIllegalArgumentException().isThrownBy(() -> CONFIG.withRetries(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> CONFIG.withRetries(17));
    assertThatIllegalArgumentException().isThrownBy(() -> CONFIG.withBufferBytes(5));
    assertThatIllegalArgumentException().isThrownBy(() -> CONFIG.withMaxBlobBytes(1L << 31));
    assertThatIllegalArgumentException().isThrownBy(() -> CONFIG.withRequestTimeout(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CONFIG.withConnectTimeout(Duration.ofDays(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\r\nX: y", "ä"})
  void refusesJobNamesThatCouldBreakAHeader(String job) {
    assertThatIllegalArgumentException().isThrownBy(() -> CONFIG.withJob(job));
  }
}
