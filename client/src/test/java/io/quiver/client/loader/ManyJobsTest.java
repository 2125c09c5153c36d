package io.quiver.client.loader;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.quiver.core.order.EpochState;
import io.quiver.core.plan.PlannerKind;
import io.quiver.testkit.SeededRuns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several jobs share a cache smaller than the data, while things go wrong. */
class ManyJobsTest {
  private static final int ROUNDS = Boolean.getBoolean("quiver.test.long") ? 100 : 4;
  private static final Duration LONGEST_ROUND = Duration.ofMinutes(4);
  private static final Duration SERVER_LEASE = Duration.ofMillis(700);

  @TempDir Path folder;

  @Test
  void eachItemComesOnceWhateverGoesWrong() {
    SeededRuns.run(
        ROUNDS,
        random ->
            assertTimeoutPreemptively(
                LONGEST_ROUND, new Round(folder.resolve("" + random.nextLong()), random)::run));
  }

  /** A scenario made from a seed. */
  private static final class Round {
    private final Random random;
    private final TestDataset data;
    private final int servers;
    private final int jobs;

    Round(Path folder, Random random) {
      this.random = random;
      data = TestDataset.make(folder, 50 + random.nextInt(1500), 3000, random.nextLong());
      servers = 1 + random.nextInt(3);
      jobs = 1 + random.nextInt(4);
    }

    void run() throws InterruptedException, ExecutionException {
      long bytes = (long) (data.digest().totalBytes() * (0.1 + random.nextDouble()));
      try (TestCluster cluster =
              new TestCluster(servers, bytes, PlannerKind.MARGINAL, SERVER_LEASE);
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
          LoaderConfig config = config(i, cluster);
          Random chance = new Random(random.nextLong());
          running.add(threads.submit(() -> train(config, chance)));
        }
        Random own = new Random(random.nextLong());
        Future<?> trouble = threads.submit(() -> makeTrouble(cluster, own));
        for (Future<?> job : running) {
          job.get();
        }
        trouble.get();
      }
    }

    private LoaderConfig config(int index, TestCluster cluster) {
      return LoaderConfig.of("job-" + index, data.digest(), data.store())
          .withBatch(1 + random.nextInt(40))
          .withSeed(random.nextLong())
          .withEpochs(2)
          .withAhead(new ReadAhead(1 + random.nextInt(6), 1 + random.nextInt(200_000)))
          .withManager(cluster.manager());
    }

    /** Servers die and come back empty, the manager is restarted. */
    private void makeTrouble(TestCluster cluster, Random chance) {
      for (int i = 0; i < 6; i++) {
        LockSupport.parkNanos(30_000_000 + chance.nextInt(50_000_000));
        int victim = chance.nextInt(servers);
        switch (chance.nextInt(3)) {
          case 0 -> cluster.kill(victim);
          case 1 -> cluster.revive(victim);
          default -> {
            cluster.killManager();
            cluster.reviveManager();
          }
        }
      }
    }

    /** Runs with some ranks, stops anywhere, and goes on with others. */
    private void train(LoaderConfig config, Random own) {
      Deliveries deliveries = new Deliveries(data);
      int before = 1 + own.nextInt(3);
      EpochState state;
      try (BatchLoader loader = BatchLoader.open(config.withRanks(0, before, before))) {
        for (int rank = 0; rank < before; rank++) {
          deliveries.take(loader.epoch(0, rank), own.nextInt(20));
        }
        state = loader.state();
      }
      int after = 1 + own.nextInt(3);
      LoaderConfig rest =
          config.withJob(config.job() + "-again").withRanks(0, after, after).withResume(state);
      try (BatchLoader loader = BatchLoader.open(rest)) {
        for (int epoch = 0; epoch < 2; epoch++) {
          for (int rank = 0; rank < after; rank++) {
            deliveries.drain(
                loader.epoch(epoch, rank), () -> LockSupport.parkNanos(own.nextInt(2_000_000)));
          }
        }
      }
      deliveries.requireExactlyOnce(2, config.job());
    }
  }
}
