package io.quiver.benchmarks.demo.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.benchmarks.demo.report.DemoFindings.DemoFinding;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.protocol.Json;
import io.quiver.report.Paint;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemoDocumentTest {
  @Test
  void hasTheFieldsThatScriptsRelyOn() {
    JsonNode json = Json.parse(Json.line(DemoDocument.of(SampleResults.all(), "/tmp/r.html")));
    assertThat(json.path("cache_fraction").asDouble()).isEqualTo(0.2);
    assertThat(json.path("window_fraction").asDouble()).isEqualTo(0.05);
    assertThat(json.path("jobs").asInt()).isEqualTo(2);
    assertThat(json.path("epochs").asInt()).isEqualTo(2);
    assertThat(json.path("report").asText()).isEqualTo("/tmp/r.html");
    assertThat(json.path("runs")).hasSize(4);
    JsonNode quiver = json.path("runs").path(2);
    assertThat(quiver.path("mode").asText()).isEqualTo("quiver");
    assertThat(quiver.path("seconds").asDouble()).isEqualTo(10);
    assertThat(quiver.path("reads_per_item_epoch").asDouble()).isEqualTo(0.905);
    assertThat(quiver.path("fill_reads_per_item_epoch").asDouble()).isEqualTo(0.075);
    assertThat(quiver.path("duplicate_fetches").asDouble()).isEqualTo(0.000552);
    assertThat(quiver.path("hit_ratio").asDouble()).isEqualTo(0.5475);
    assertThat(quiver.path("stall").asDouble()).isEqualTo(0.02);
    assertThat(quiver.path("exactly_once").isBoolean()).isTrue();
    assertThat(quiver.path("exactly_once").asBoolean()).isTrue();
    assertThat(json.path("runs").path(3).path("mode").asText()).isEqualTo("all-cached");
  }

  @Test
  void oneJobThatLostSamplesSpoilsTheRunAndTheDemo() {
    DemoResult result = SampleResults.of(SampleResults.run(DemoMode.QUIVER, 10, 1810, 0, false));
    assertThat(result.exactlyOnce()).isFalse();
    JsonNode json = Json.parse(Json.line(DemoDocument.of(result, "x")));
    assertThat(json.path("runs").path(0).path("exactly_once").asBoolean()).isFalse();
    assertThat(DemoTable.of(result).lines(new Paint(false)).getLast()).endsWith("NO");
  }

  @Test
  void theTableHasARowForEachRunInOrder() {
    List<String> lines = DemoTable.of(SampleResults.all()).lines(new Paint(false));
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).contains("speed-up", "reads per item and epoch", "stall");
    assertThat(lines.get(3)).startsWith("Quiver").contains("10.0 s", "4.0 ×", "0.905", "54.8 %");
  }

  @Test
  void findingsCompareWithWhatTheoryPromises() {
    List<DemoFinding> findings = DemoFindings.of(SampleResults.all());
    assertThat(findings).hasSize(6);
    DemoFinding reads = findings.getFirst();
    assertThat(reads.measured()).isCloseTo(0.83, within(1e-9));
    assertThat(reads.bound()).isCloseTo(0.8925, within(1e-9));
    assertThat(findings).allMatch(DemoFinding::met);
  }

  @Test
  void findingsThatAreNotMetSaySo() {
    DemoResult result =
        SampleResults.of(
            SampleResults.run(DemoMode.NONE, 20, 4000, 0, true),
            SampleResults.run(DemoMode.QUIVER, 10, 3000, 0, true));
    assertThat(DemoFindings.of(result))
        .extracting(DemoFinding::met)
        .containsExactly(false, true, false);
  }

  @Test
  void theLawOfLeastRecentlyUsedHasItsKnownValues() {
    assertThat(DemoFindings.lruLaw(0.2)).isBetween(0.0214, 0.0216);
    assertThat(DemoFindings.lruLaw(0.5)).isBetween(0.153, 0.154);
    assertThat(DemoFindings.lruLaw(1)).isEqualTo(1);
  }
}
