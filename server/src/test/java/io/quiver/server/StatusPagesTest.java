package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.core.hash.ContentHash;
import io.quiver.server.TestClient.Answer;
import io.quiver.server.metrics.ServerCounter;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StatusPagesTest extends RunningServerTest {
  @Override
  TestServer open() throws IOException {
    return new TestServer(config -> config.withName("node-7"));
  }

  @Test
  void theStatusTellsWhatTheServerIsAndHolds() throws Exception {
    server.stored(new Random(1), 1_000);
    Answer answer = client.ask("GET /v1/status");
    assertThat(answer.field("content-type")).isEqualTo("application/json");
    JsonNode status = new ObjectMapper().readTree(answer.body());
    assertThat(status.at("/name").asText()).isEqualTo("node-7");
    assertThat(status.at("/version").asText()).doesNotContain("$").isNotEqualTo("unknown");
    assertThat(status.at("/uptime_ms").asLong()).isNotNegative();
    assertThat(status.at("/store/used_bytes").asLong()).isEqualTo(1_000);
    assertThat(status.at("/store/blobs").asLong()).isEqualTo(1);
    assertThat(status.at("/spaces").asLong()).isEqualTo(1);
    assertThat(status.at("/connections").asLong()).isEqualTo(1);
    assertThat(status.at("/limits/max_response_bytes").asLong()).isEqualTo(64 << 20);
  }

  @Test
  void theMetricsCountWhatHappened() throws Exception {
    byte[] content = server.stored(new Random(1), 1_000);
    ContentHash hash = ContentHash.ofContent(content);
    ContentHash unknown = ContentHash.ofContent(new byte[5]);
    client.get(List.of(hash, hash, unknown), 3);
    client.ask("GET /nope");
    String text = client.ask("GET /metrics").text();
    assertThat(text)
        .contains("\nquiver_hits_total 2\n")
        .contains("\nquiver_misses_total 1\n")
        .contains("\nquiver_hit_bytes_total 2000\n")
        .contains("quiver_requests_total{endpoint=\"get\",code=\"2xx\"} 1\n")
        .contains("quiver_requests_total{endpoint=\"other\",code=\"4xx\"} 1\n")
        .contains("quiver_request_seconds_bucket{endpoint=\"get\",le=\"+Inf\"} 1\n")
        .contains("quiver_request_seconds_count{endpoint=\"get\"} 1\n")
        .contains("\nquiver_connections 1\n")
        .contains("\nquiver_store_blobs 1\n");
  }

  @Test
  void theMetricsAreWellFormedAndListEveryCounter() throws Exception {
    String text = client.ask("GET /metrics").text();
    for (ServerCounter counter : ServerCounter.values()) {
      assertThat(text).contains("quiver_" + counter.name().toLowerCase(Locale.ROOT));
    }
    String sample = "[a-z_]+(\\{[a-z]+=\"[^\"]*\"(,[a-z]+=\"[^\"]*\")*\\})? [0-9.Ee+-]+";
    assertThat(text.lines().filter(line -> !line.startsWith("#")))
        .isNotEmpty()
        .allMatch(line -> line.matches(sample));
    assertThat(text.lines().filter(line -> line.startsWith("# TYPE")).distinct())
        .hasSize((int) text.lines().filter(line -> line.startsWith("# TYPE")).count());
  }

  @Test
  void headOfAPageHasItsLengthButNoBody() throws Exception {
    Answer head = client.ask("HEAD /healthz");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.field("content-length")).isEqualTo("16");
    assertThat(client.ask("GET /healthz").body()).hasSize(16);
  }
}
