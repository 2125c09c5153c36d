package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scenario files on the command line. */
class SimulateCommandTest {
  private static final String SCENARIO =
      """
      name: two jobs
      seed: 3
      network: {mb_per_s: 1000, latency_ms: 0.1}
      stores:
        - {name: blob, machine_mb_per_s: 20, latency_ms: 5}
      machines:
        - {name: vm, count: 2}
      servers:
        - {machine: vm, cache_gb: 0.02}
      datasets:
        - {name: images, store: blob, items: 2000, gb: 0.1}
      jobs:
        - {name: job, count: 2, machine: vm, dataset: images, batch: 20, compute_ms: 40, epochs: 2, gpus: 1}
      """;

  @TempDir private Path folder;

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("scenario.yaml"), text).toString();
  }

  private static Shell.Ended run(String... arguments) {
    return Shell.plain().run(arguments);
  }

  @Test
  void theSameSeedGivesTheSameRunToTheLastEvent() throws Exception {
    String file = file(SCENARIO);
    JsonNode first = run("simulate", file, "--json", "--seed", "5").json();
    JsonNode second = run("simulate", file, "--json", "--seed", "5").json();
    JsonNode other = run("simulate", file, "--json").json();
    assertThat(first).isEqualTo(second);
    assertThat(other.path("seed").asLong()).isEqualTo(3);
    assertThat(other.path("log_hash")).isNotEqualTo(first.path("log_hash"));
    assertThat(first.path("violations")).isEmpty();
    assertThat(first.path("jobs")).hasSize(2).allMatch(job -> job.path("batches").asInt() == 200);
    assertThat(first.path("jobs")).allMatch(job -> job.path("hit_ratio").asDouble() > 0.5);
    assertThat(first.path("seconds").asDouble()).isBetween(8.0, 12.0);
  }

  @Test
  void policiesOfImportanceAreComparedByHitsAndCoverage() throws Exception {
    JsonNode rows = run("simulate", "shade", "--items", "2000", "--epochs", "3", "--json").json();
    assertThat(rows)
        .filteredOn(row -> row.path("cache_fraction").asDouble() == 0.1)
        .extracting(row -> row.path("policy").asText())
        .contains("lru", "lru-same-draws", "min", "minio", "sh_pq", "shade-paper", "shade")
        .contains("quiver-emulated", "nopfs", "shade-published", "shade-repeat");
    for (JsonNode row : rows) {
      assertThat(row.path("hit_ratio").asDouble()).isBetween(0.0, 1.0);
      assertThat(row.path("coverage").asDouble()).isBetween(0.3, 1.0);
    }
    assertThat(run("simulate", "shade", "--items", "2000", "--epochs", "1").out())
        .contains("policy")
        .contains("shade-paper");
    var wrong = run("simulate", "shade", "--batch", "1");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("batches of 1;");
  }

  @Test
  void peopleGetATableAndAPageWithPlots() throws Exception {
    Path page = folder.resolve("page.html");
    var ended = run("simulate", file(SCENARIO), "--report", page.toString());
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("two jobs", "job-0", "job-1", "page.html");
    assertThat(Files.readString(page)).contains("id=\"progress-t\"", "id=\"residency-images-t\"");
  }

  @Test
  void aMistakeIsNamedWithFileAndLine() throws Exception {
    String file = file(SCENARIO.replace("cache_gb", "cach_gb"));
    var ended = run("simulate", file);
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err())
        .contains("scenario.yaml:9", "servers.cache_gb: is missing", "is \"cach_gb\" meant");
    assertThat(run("simulate", folder + "/none.yaml").err()).contains("there is no scenario file");
  }
}
