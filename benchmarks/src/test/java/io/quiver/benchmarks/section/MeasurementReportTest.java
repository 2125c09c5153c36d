package io.quiver.benchmarks.section;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Findings are judged by their ratio where there is one, and shown either way. */
class MeasurementReportTest {
  private static final Measurement PASSED =
      Measurement.ratioAtLeast("put", 0.9, "GB/s", "disk", 1.0, 0.8);
  private static final Measurement MISSED = Measurement.atMost("bytes per blob", 40, "B", 32);
  private static final Measurement PLAIN = Measurement.plain("heap", 90, "MB");

  @Test
  void aRatioIsJudgedByTheRatioAndAFigureByItself() {
    assertThat(PASSED.passed()).isTrue();
    assertThat(MISSED.passed()).isFalse();
    assertThat(PLAIN.passed()).isNull();
    assertThat(Measurement.ratioAtMost("p99", 300, "us", "median", 90, 3.0).passed()).isFalse();
  }

  @Test
  void theTableMarksTargets() {
    List<String> lines = MeasurementReport.table(List.of(PASSED, MISSED, PLAIN)).lines().toList();
    assertThat(lines.get(0)).contains("pass", "0.90 x disk", "target ≥ 0.80");
    assertThat(lines.get(1)).contains("miss", "40.00 B", "target ≤ 32.00");
    assertThat(lines.get(2)).contains("heap").doesNotContain("pass", "miss");
  }

  @Test
  void jsonKeepsWhatIsUnknownAsNull() throws Exception {
    JsonNode array = new ObjectMapper().readTree(MeasurementReport.json(List.of(PASSED, PLAIN)));
    assertThat(array.get(0).get("passed").asBoolean()).isTrue();
    assertThat(array.get(1).get("target").isNull()).isTrue();
    assertThat(array.get(1).get("passed").isNull()).isTrue();
  }
}
