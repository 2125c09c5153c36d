package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.demo.data.DemoData;
import io.quiver.benchmarks.demo.data.StoreMeter;
import io.quiver.benchmarks.demo.run.DemoCluster.NoCluster;
import io.quiver.benchmarks.demo.run.DemoJob.JobProgress;
import io.quiver.benchmarks.demo.run.Timeline.Moment;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.StoreReads;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.plan.PlannerKind;
import io.quiver.node.NodeException;
import io.quiver.node.Ticker;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All jobs of a scenario in one mode, from an empty cache to the last batch. */
public final class DemoRun {
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** Enough to keep a link with some latency full, from one job alone. */
  private static final StoreReads READS = new StoreReads(32, 16);

  private final DemoScenario scenario;
  private final DemoData data;
  private final Path folder;
  private final DemoListener listener;

  /**
   * Runs of a scenario on a data set.
   *
   * @param folder for caches and ledgers; exists and is the run's own
   */
  public DemoRun(DemoScenario scenario, DemoData data, Path folder, DemoListener listener) {
    this.scenario = scenario;
    this.data = data;
    this.folder = folder;
    this.listener = listener;
  }

  /** Runs all jobs in a mode and waits for the last one. */
  public RunResult run(DemoMode mode)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    listener.began(mode, scenario.jobs(), (long) data.digest().itemCount() * scenario.epochs());
    Path own = Files.createDirectories(folder.resolve(mode.word()));
    StoreMeter meter = new StoreMeter(data.digest().itemCount());
    long zero;
    List<JobProgress> progress = new ArrayList<>();
    Timeline timeline = new Timeline();
    try (DemoCluster cluster = cluster(mode, own.resolve("cache"));
        RemoteStore store =
            data.throttled(meter, scenario.store().bytesPerSecond(), scenario.store().latency())) {
      zero = System.nanoTime();
      cluster.begin(zero);
      List<DemoJob> jobs = jobs(cluster, store, own, progress, zero);
      List<DemoJobResult> results;
      try (Ticker _ = Ticker.every(LOOK_EVERY, () -> look(meter, progress, timeline, zero))) {
        results = await(jobs);
      }
      double seconds = results.stream().mapToDouble(DemoJobResult::endSeconds).max().orElse(0);
      timeline.addLast(moment(meter, progress, seconds));
      RunResult result =
          result(mode, seconds, meter, results, timeline, cluster, jobs.getFirst().orders());
      listener.ended(result);
      return result;
    }
  }

  private DemoCluster cluster(DemoMode mode, Path cache)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    long budget = Math.round(scenario.cacheFraction() * data.digest().totalBytes());
    return switch (mode) {
      case NONE -> new NoCluster();
      case LRU -> PlannedCluster.shared(cache, budget, PlannerKind.LRU);
      case PINNED -> PlannedCluster.shared(cache, budget, PlannerKind.PINNED);
      case QUIVER -> PlannedCluster.open(cache, budget, scenario.planner());
      case ALL_CACHED -> filled(cache);
    };
  }

  private DemoCluster filled(Path cache)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    DatasetDigest digest = data.digest();
    PlannedCluster cluster = PlannedCluster.shared(cache, digest.totalBytes(), PlannerKind.LRU);
    try (RemoteStore direct = data.direct()) {
      cluster.fill(digest, direct, done -> listener.filled(done, digest.itemCount()));
      return cluster;
    } catch (IOException | BenchmarkException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private List<DemoJob> jobs(
      DemoCluster cluster, RemoteStore store, Path own, List<JobProgress> progress, long zero) {
    List<DemoJob> jobs = new ArrayList<>();
    for (int index = 0; index < scenario.jobs(); index++) {
      progress.add(new JobProgress());
      LoaderConfig plain =
          LoaderConfig.of(scenario.jobName(index), data.digest(), store)
              .withBatch(scenario.batch())
              .withEpochs(scenario.epochs())
              .withReads(READS)
              .withSeed(scenario.seed() + index);
      jobs.add(
          new DemoJob(
              scenario,
              index,
              cluster.join(plain),
              own.resolve(scenario.jobName(index) + ".ledger"),
              progress.get(index),
              System::nanoTime,
              zero));
    }
    return jobs;
  }

  private List<DemoJobResult> await(List<DemoJob> jobs)
      throws BenchmarkException, IOException, InterruptedException {
    Duration patience = scenario.patience(data.digest().totalBytes());
    List<DemoJobResult> results = new ArrayList<>();
    ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("demo-job-", 1).factory());
    try {
      for (Future<DemoJobResult> future :
          threads.invokeAll(jobs, patience.toMillis(), TimeUnit.MILLISECONDS)) {
        results.add(future.get());
      }
      return results;
    } catch (CancellationException e) {
      throw new BenchmarkException(
          "the jobs did not end within "
              + patience.toSeconds()
              + " s; run with --verbose to see what they wait for",
          e);
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static BenchmarkException failure(@Nullable Throwable cause) {
    String reason = cause == null ? "for no known reason" : cause.getMessage();
    return new BenchmarkException("a job failed: " + reason, cause);
  }

  private void look(StoreMeter meter, List<JobProgress> progress, Timeline timeline, long zero) {
    Moment now = moment(meter, progress, (System.nanoTime() - zero) / 1e9);
    timeline.add(now);
    listener.running(now);
  }

  private static Moment moment(StoreMeter meter, List<JobProgress> progress, double seconds) {
    return new Moment(
        seconds, meter.bytes(), meter.reads(), progress.stream().map(JobProgress::items).toList());
  }

  private RunResult result(
      DemoMode mode,
      double seconds,
      StoreMeter meter,
      List<DemoJobResult> results,
      Timeline timeline,
      DemoCluster cluster,
      List<int[]> orders) {
    ResidencySummary residency =
        new ResidencySummary(data.digest().itemCount(), cluster.residency());
    return new RunResult(
        mode,
        seconds,
        data.digest().itemCount(),
        scenario.epochs(),
        new RunResult.FetchedItems(
            meter.reads(), meter.bytes(), meter.itemsRead(residency::pinned)),
        residency.windowFraction(),
        results,
        new RunResult.Recording(timeline.moments(), cluster.residency(), orders));
  }
}
