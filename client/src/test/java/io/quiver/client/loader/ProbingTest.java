package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job whose data is cached is asked to read a slow store for a moment. */
@Timeout(60)
class ProbingTest {
  private static final int BATCH = 10;
  private static final int EPOCHS = 200;
  private static final long COMPUTE_NANOS = 10_000_000;
  private static final double BENEFIT = 4;

  @TempDir Path folder;

  @Test
  void whatTheCacheGivesIsMeasuredAndEveryItemStillComesOnce() {
    TestDataset data = TestDataset.make(folder, 300, 4000, 11);
    LoaderConfig plain =
        LoaderConfig.of("job", data.digest(), data.store())
            .withBatch(BATCH)
            .withAhead(new ReadAhead(2, 1 << 20));
    double batchBytes = (double) data.digest().totalBytes() * BATCH / data.items();
    long bytesPerSecond = Math.round(batchBytes / (BENEFIT * COMPUTE_NANOS / 1e9));
    Throttle link = Throttle.realTime(bytesPerSecond, Throttle.Latency.NONE);
    try (TestCluster cluster = new TestCluster(2, 2 * data.digest().totalBytes())) {
      fill(plain.withJob("first").withManager(cluster.manager()), data);
      Deliveries deliveries = new Deliveries(data);
      LoaderConfig slow =
          LoaderConfig.of("probed", data.digest(), new ThrottledStore(data.store(), link))
              .withBatch(BATCH)
              .withEpochs(EPOCHS)
              .withAhead(new ReadAhead(2, 1 << 20))
              .withManager(cluster.manager());
      try (BatchLoader loader = BatchLoader.open(slow)) {
        int epochs = 0;
        while (speeds(cluster).lastProbe() == 0 && epochs < EPOCHS) {
          deliveries.drain(loader.epoch(epochs++), () -> LockSupport.parkNanos(COMPUTE_NANOS));
        }
        deliveries.requireExactlyOnce(epochs, "with a probe");
        JobSpeeds speeds = speeds(cluster);
        double measured = speeds.miss().seconds() / speeds.hit().seconds();
        assertThat(measured).isCloseTo(trueBenefit(speeds), Percentage.withPercentage(15));
        assertThat(speeds.probed()).isPositive();
        assertThat(speeds.probed()).isLessThanOrEqualTo(EPOCHS * data.items() / BATCH / 100);
        assertThat(loader.statistics().storeReads()).isEqualTo(BATCH * speeds.probed());
      }
    }
  }

  /** Returns the store's part is exact; how long a pause takes depends on the machine. */
  private static double trueBenefit(JobSpeeds speeds) {
    double miss = BENEFIT * COMPUTE_NANOS / 1e9 / BATCH;
    return miss / Math.max(speeds.hit().seconds(), COMPUTE_NANOS / 1e9 / BATCH);
  }

  private static JobSpeeds speeds(TestCluster cluster) {
    return cluster.managerNow().jobs().stream()
        .filter(report -> report.job().equals("probed"))
        .map(JobReport::speeds)
        .findFirst()
        .orElse(JobSpeeds.NONE);
  }

  private static void fill(LoaderConfig config, TestDataset data) {
    try (BatchLoader loader = BatchLoader.open(config.withEpochs(EPOCHS))) {
      double ratio = 0;
      for (int number = 0; number < EPOCHS && ratio < 1; number++) {
        LoadedEpoch epoch = loader.epoch(number);
        new Deliveries(data).drain(epoch, () -> {});
        ratio = epoch.statistics().hitRatio();
      }
      assertThat(ratio).isEqualTo(1.0);
    }
  }
}
