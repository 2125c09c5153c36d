package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SharingTest {
  private static final boolean LONG = Boolean.getBoolean("quiver.test.long");
  private static final double LENGTH = LONG ? 1 : 0.1;

  @Test
  void everyScenarioGainsWhatItsCacheAllows() {
    List<Sharing.Row> rows = Sharing.run(2, LENGTH, Runs.Listener.NONE);
    double best = Workload.RESNET.paper().missSeconds() / Workload.RESNET.paper().hitSeconds();
    for (Sharing.Row row : rows) {
      if (row.cacheShare() == 1) {
        // A probe that comes in the last epoch reads some.
        assertThat(row.reads()).as("%s", row).isLessThan(LONG ? 0.02 : 0.1);
      }
    }
    assertThat(rows.get(0).speedup()).as("one job, all cached").isGreaterThan(0.97 * best);
    assertThat(rows.get(1).reads()).as("one job, half cached").isBetween(0.49, 0.52);
    assertThat(rows.get(3).reads()).as("four jobs, a tenth cached").isLessThan(0.97);
    assertThat(rows.get(3).speedup()).isGreaterThan(0.95 * best);
    assertThat(rows.get(5).reads()).as("different jobs").isLessThan(1.4);
  }
}
