package io.quiver.benchmarks.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.benchmarks.serve.ServeResult.PeerSpeed;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shapes that scripts and people rely on. */
class ServeReportTest {
  private static final ServeResult RESULT =
      new ServeResult(
          new ServeWorkload(3_000, 512, 10_000),
          Map.of(
              Peer.QUIVER, new PeerSpeed(4.5, 0.18, 0.17),
              Peer.REFERENCE, new PeerSpeed(5.0, 0.16, 0.16),
              Peer.MEMCACHED, new PeerSpeed(3.0, 0.5, 0.3),
              Peer.REDIS_MGET, new PeerSpeed(1.0, 1.0, 0.3),
              Peer.REDIS_PIPELINED, new PeerSpeed(1.5, 0.9, 0.3)));

  @Test
  void jsonHasOneObjectForEachWorkloadWithTheAgreedFields() throws Exception {
    JsonNode array = new ObjectMapper().readTree(ServeJson.write(List.of(RESULT, RESULT)));
    assertThat(array.isArray()).isTrue();
    assertThat(array).hasSize(2);
    JsonNode first = array.get(0);
    assertThat(first.get("bytes").asInt()).isEqualTo(3_000);
    assertThat(first.get("batch").asInt()).isEqualTo(512);
    assertThat(first.get("quiver_gbps").asDouble()).isEqualTo(4.5);
    assertThat(first.get("memcached_gbps").asDouble()).isEqualTo(3.0);
    assertThat(first.get("reference_gbps").asDouble()).isEqualTo(5.0);
    assertThat(first.get("server_cpu_s_per_gb").asDouble()).isEqualTo(0.18);
    assertThat(first.get("client_cpu_s_per_gb").asDouble()).isEqualTo(0.17);
  }

  @Test
  void jsonReportsTheBetterWayToAskRedis() throws Exception {
    JsonNode first = new ObjectMapper().readTree(ServeJson.write(List.of(RESULT))).get(0);
    assertThat(first.get("redis_gbps").asDouble()).isEqualTo(1.5);
    assertThat(first.get("redis_mget_gbps").asDouble()).isEqualTo(1.0);
  }

  @Test
  void aPeerThatIsNotInstalledIsNullInJsonAndADashInTheTable() throws Exception {
    JsonNode first = new ObjectMapper().readTree(ServeJson.write(List.of(RESULT))).get(0);
    assertThat(first.has("nginx_gbps")).isTrue();
    assertThat(first.get("nginx_gbps").isNull()).isTrue();
    assertThat(ServeTable.render(List.of(RESULT)).lines())
        .anyMatch(line -> line.strip().matches("nginx\\s+–"));
  }

  @Test
  void theTableShowsRatiosAndJudgesTargets() {
    String table = ServeTable.render(List.of(RESULT));
    assertThat(table).contains("512 x 3 KB", "0.90 x", "1.50 x", "3.00 x");
    assertThat(table.lines().filter(line -> line.contains("pass"))).hasSize(2);
    assertThat(table.lines().filter(line -> line.contains("miss")))
        .singleElement()
        .asString()
        .contains("memcached", "1.50 x", "target 2.00 x");
  }

  @Test
  void peersAreFoundByTheirLabelAndUnknownOnesAreNamed() {
    assertThat(Peer.of("redis-mget")).isEqualTo(Peer.REDIS_MGET);
    assertThatThrownBy(() -> Peer.of("mongo"))
        .hasMessageContaining("\"mongo\"")
        .hasMessageContaining("memcached");
  }
}
