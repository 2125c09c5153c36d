package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keepers tell what they do, through the metrics of a running server. */
final class KeeperMetricsTest extends RunningServerTest {
  private void order(String... spaces) throws Exception {
    String plan = "{\"prefix\":\"ds-\",\"spaces\":[" + String.join(",", spaces) + "]}";
    byte[] body = plan.getBytes(StandardCharsets.UTF_8);
    assertThat(client.ask("POST /v1/spaces", TestClient.JSON, body).status()).isEqualTo(200);
  }

  private static String space(String name, String keeper, long quota) {
    return "{\"name\":\"%s\",\"keeper\":\"%s\",\"quota_bytes\":%d}".formatted(name, keeper, quota);
  }

  private ContentHash insert(String space, int number) throws Exception {
    byte[] content = new byte[1_000];
    new Random(number).nextBytes(content);
    ContentHash hash = ContentHash.ofContent(content);
    int status =
        client.ask("PUT /v1/blobs/" + hash.toHex() + "?space=" + space, "", content).status();
    assertThat(status).isIn(200, 201, 507);
    return hash;
  }

  @Test
  void everyKindAndEverySpaceIsToldApart() throws Exception {
    order(
        space("ds-a", "recent", 2_000),
        space("ds-b", "recent", 5_000),
        space("ds-c", "uniform", 1_000),
        space("ds-d", "fixed", 9_000));
    for (int i = 0; i < 5; i++) {
      for (String space : List.of("ds-a", "ds-b", "ds-c", "ds-d")) {
        insert(space, i);
      }
    }
    assertThat(server.metricsText())
        .contains("\nquiver_keeper_quota_bytes{keeper=\"recent\"} 7000\n")
        .contains("\nquiver_keeper_used_bytes{keeper=\"recent\"} 7000\n")
        .contains("\nquiver_keeper_blobs{keeper=\"recent\"} 7\n")
        .contains("\nquiver_keeper_admissions_total{keeper=\"recent\"} 10\n")
        .contains("\nquiver_keeper_evictions_total{keeper=\"recent\"} 3\n")
        .contains("\nquiver_keeper_refusals_total{keeper=\"uniform\"} 4\n")
        .contains("\nquiver_kept_space_used_bytes{space=\"ds-a\",keeper=\"recent\"} 2000\n")
        .contains("\nquiver_kept_space_evictions_total{space=\"ds-a\",keeper=\"recent\"} 3\n")
        .contains("\nquiver_kept_space_evictions_total{space=\"ds-b\",keeper=\"recent\"} 0\n")
        .doesNotContain("keeper=\"fixed\"");
  }

  @Test
  void ghostHitsTellWhatMoreQuotaWouldServe() throws Exception {
    order(space("ds-a", "recent", 8_000));
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 9; i++) {
        insert("ds-a", i);
      }
    }
    assertThat(server.metricsText())
        .containsPattern(
            "quiver_kept_space_ghost_hits_total\\{space=\"ds-a\",keeper=\"recent\",eighths=\"[12]\"}"
                + " [1-9]");
  }

  @Test
  void onlyRankedKeepersHaveALowestPriority() throws Exception {
    order(space("ds-a", "recent", 2_000), space("ds-b", "uniform", 2_000));
    insert("ds-a", 1);
    insert("ds-b", 1);
    assertThat(server.metricsText())
        .contains("# TYPE quiver_keeper_lowest_priority gauge\n")
        .doesNotContain("lowest_priority{");
  }

  @Test
  void countersStayWhenTheirSpaceGoes() throws Exception {
    order(space("ds-a", "recent", 1_000), space("ds-empty", "recent", 1_000));
    for (int i = 0; i < 4; i++) {
      insert("ds-a", i);
    }
    order();
    assertThat(server.metricsText())
        .contains("\nquiver_keeper_evictions_total{keeper=\"recent\"} 3\n")
        .contains("\nquiver_keeper_used_bytes{keeper=\"recent\"} 0\n")
        .doesNotContain("ds-empty");
    order(space("ds-a", "recent", 1_000));
    insert("ds-a", 7);
    insert("ds-a", 8);
    assertThat(server.metricsText())
        .contains("\nquiver_keeper_evictions_total{keeper=\"recent\"} 4\n")
        .contains("\nquiver_kept_space_evictions_total{space=\"ds-a\",keeper=\"recent\"} 1\n");
  }

  @Test
  void theLargestSpacesAreToldApartWhenThereAreTooMany() throws Exception {
    order(
        IntStream.range(0, 300)
            .mapToObj(i -> space("ds-" + i, "recent", 2_000))
            .toArray(String[]::new));
    insert("ds-299", 1);
    String text = server.metricsText();
    assertThat(text).contains("quiver_kept_space_used_bytes{space=\"ds-299\",");
    assertThat(
            text.lines()
                .filter(line -> line.startsWith("quiver_kept_space_used_bytes{"))
                .collect(Collectors.toSet()))
        .hasSize(256);
    assertThat(text).contains("\nquiver_keeper_quota_bytes{keeper=\"recent\"} 600000\n");
  }
}
