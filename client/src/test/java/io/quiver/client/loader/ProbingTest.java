package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that a loader carries out the probes of its plan. That they measure the true benefit is
 * checked in virtual time.
 */
@Timeout(240)
class ProbingTest {
  private static final int BATCH = 10;
  private static final int EPOCHS = 200;
  private static final long COMPUTE_NANOS = 2_000_000;

  @TempDir Path folder;

  @Test
  void aProbedJobReadsTheStoreForAMomentAndGetsEveryItemOnce() {
    TestDataset data = TestDataset.make(folder, 300, 4000, 11);
    LoaderConfig plain =
        LoaderConfig.of("job", data.digest(), data.store())
            .withBatch(BATCH)
            .withEpochs(EPOCHS)
            .withAhead(new ReadAhead(2, 1 << 20));
    try (TestCluster cluster = new TestCluster(2, 2 * data.digest().totalBytes())) {
      fill(plain.withJob("first").withManager(cluster.manager()), data);
      Deliveries deliveries = new Deliveries(data);
      LoaderConfig probed = plain.withJob("probed").withManager(cluster.manager());
      try (BatchLoader loader = BatchLoader.open(probed)) {
        int epochs = 0;
        while (speeds(cluster).lastProbe() == 0 && epochs < EPOCHS) {
          deliveries.drain(loader.epoch(epochs++), () -> LockSupport.parkNanos(COMPUTE_NANOS));
        }
        deliveries.requireExactlyOnce(epochs, "with a probe");
        JobSpeeds speeds = speeds(cluster);
        assertThat(speeds.probed()).isPositive();
        assertThat(speeds.probed()).isLessThanOrEqualTo(EPOCHS * data.items() / BATCH / 100);
        assertThat(loader.statistics().store().reads()).isEqualTo(BATCH * speeds.probed());
      }
    }
  }

  private static JobSpeeds speeds(TestCluster cluster) {
    return cluster.managerNow().jobs().stream()
        .filter(report -> report.job().equals("probed"))
        .map(JobReport::speeds)
        .findFirst()
        .orElse(JobSpeeds.NONE);
  }

  private static void fill(LoaderConfig config, TestDataset data) {
    try (BatchLoader loader = BatchLoader.open(config)) {
      double ratio = 0;
      for (int number = 0; number < EPOCHS && ratio < 1; number++) {
        LoadedEpoch epoch = loader.epoch(number);
        new Deliveries(data).drain(epoch, () -> {});
        ratio = epoch.statistics().delivered().hitRatio();
      }
      assertThat(ratio).isEqualTo(1.0);
    }
  }
}
