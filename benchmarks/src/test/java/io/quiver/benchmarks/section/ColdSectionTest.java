package io.quiver.benchmarks.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.benchmarks.section.ColdSection.ColdRound;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rounds of cold reads become findings: the middle round counts, and reads from memory show. */
class ColdSectionTest {
  @Test
  void theMiddleRoundCounts() {
    List<Measurement> findings =
        ColdSection.findings(
            "512 x 20 KB",
            List.of(
                new ColdRound(0.1, 1.0, 0.9, 1.2),
                new ColdRound(0.7, 1.0, 0.4, 1.2),
                new ColdRound(0.8, 0.5, 0.3, 1.3)));
    assertThat(findings).extracting(Measurement::value).containsExactly(0.7, 0.4, 1.2);
    assertThat(findings.getFirst().judged()).isEqualTo(0.7);
    assertThat(findings).extracting(Measurement::passed).containsExactly(true, true, true);
    assertThat(findings).extracting(Measurement::name).allMatch(name -> name.contains("20 KB"));
  }

  @Test
  void slowCostlyOrWarmReadsMissTheirTargets() {
    List<Measurement> findings =
        ColdSection.findings("128 x 150 KB", List.of(new ColdRound(0.5, 1.0, 0.6, 0.2)));
    assertThat(findings).extracting(Measurement::passed).containsExactly(false, false, false);
  }

  @Test
  void theKernelKeepsAccountOfAProcess() throws Exception {
    ProcessAccount account = new ProcessAccount(ProcessHandle.current().pid());
    assertThat(account.bytesFromDisk()).isNotNegative();
    assertThat(account.compilerSeconds()).isPositive();
  }
}
