package io.quiver.cli.demo.run;

import io.quiver.client.loader.Batch;
import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.LoadedEpoch;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.ledger.LedgerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * One training job: takes batch after batch from its own loader and works on each for as long as a
 * GPU would. Everything it is given goes into its ledger, and one item of each batch is hashed to
 * see that the bytes are the right ones.
 */
final class DemoJob implements Callable<JobResult> {
  private final Scenario scenario;
  private final int index;
  private final LoaderConfig config;
  private final Path ledgerFile;
  private final JobProgress progress;
  private final LongSupplier nanoTime;
  private final long zero;
  private final List<Double> epochEnds = new ArrayList<>();
  private final DeliveredOrder order;
  private long wrongItems;
  private double waitSeconds;
  private double workSeconds;

  /**
   * A job that starts when its time has come.
   *
   * @param zero when the run began, on the clock given
   */
  DemoJob(
      Scenario scenario,
      int index,
      LoaderConfig config,
      Path ledgerFile,
      JobProgress progress,
      LongSupplier nanoTime,
      long zero) {
    this.scenario = scenario;
    this.index = index;
    this.config = config;
    this.ledgerFile = ledgerFile;
    this.progress = progress;
    this.nanoTime = nanoTime;
    this.zero = zero;
    this.order = new DeliveredOrder(config.digest().itemCount());
  }

  @Override
  public JobResult call() throws IOException, InterruptedException {
    pauseUntil(zero + scenario.start(index).toNanos());
    progress.enter(JobProgress.Stage.RUNNING);
    double started = seconds();
    try {
      return result(started, train(), JobLedger.verify(ledgerFile));
    } finally {
      progress.enter(JobProgress.Stage.DONE);
    }
  }

  /** In the order of delivery, epoch by epoch; empty for a data set too large to keep it. */
  List<int[]> orders() {
    return order.epochs();
  }

  private LoaderStatistics train() throws IOException, InterruptedException {
    try (JobLedger ledger =
            new JobLedger(
                ledgerFile, config.job(), config.digest(), config.seed(), config.sampler());
        BatchLoader loader = BatchLoader.open(config)) {
      for (int epoch = 0; epoch < scenario.epochs(); epoch++) {
        order.begin();
        try (LoadedEpoch batches = loader.epoch(epoch)) {
          train(batches, ledger);
        }
        epochEnds.add(seconds());
      }
      return loader.statistics();
    }
  }

  private void train(LoadedEpoch batches, JobLedger ledger)
      throws IOException, InterruptedException {
    while (true) {
      long asked = nanoTime.getAsLong();
      Optional<Batch> next = batches.next();
      long given = nanoTime.getAsLong();
      waitSeconds += (given - asked) / 1e9;
      if (next.isEmpty()) {
        return;
      }
      try (Batch batch = next.get()) {
        work(batch, given, ledger);
      }
    }
  }

  private void work(Batch batch, long given, JobLedger ledger)
      throws IOException, InterruptedException {
    int[] items = batch.items();
    ledger.delivered(batch.epoch(), items);
    order.add(items);
    check(batch);
    progress.delivered(items.length);
    double itemSeconds = scenario.itemSeconds(index, config.digest().itemCount());
    pauseUntil(given + Math.round(1e9 * itemSeconds * items.length));
    workSeconds += (nanoTime.getAsLong() - given) / 1e9;
  }

  /** The length of every item, and the hash of one. */
  private void check(Batch batch) {
    DatasetDigest digest = config.digest();
    for (int place = 0; place < batch.size(); place++) {
      wrongItems += batch.bytes(place).remaining() == digest.size(batch.item(place)) ? 0 : 1;
    }
    int last = batch.size() - 1;
    boolean right =
        last < 0 || ContentHash.ofContent(batch.bytes(last)).equals(digest.hash(batch.item(last)));
    wrongItems += right ? 0 : 1;
  }

  private JobResult result(double started, LoaderStatistics statistics, LedgerReport report) {
    boolean proven = JobLedger.proves(report, scenario.epochs()) && wrongItems == 0;
    String verdict = JobLedger.words(report, scenario.epochs());
    return new JobResult(
        config.job(),
        scenario.speed(index),
        started,
        epochEnds,
        statistics.items(),
        statistics.hits() + statistics.cooperative(),
        waitSeconds,
        workSeconds,
        statistics.storeReads(),
        statistics.duplicates(),
        proven,
        wrongItems == 0 ? verdict : verdict + ", " + wrongItems + " items with wrong bytes");
  }

  private double seconds() {
    return (nanoTime.getAsLong() - zero) / 1e9;
  }

  private void pauseUntil(long moment) throws InterruptedException {
    for (long left = moment - nanoTime.getAsLong();
        left > 0;
        left = moment - nanoTime.getAsLong()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("a job of the demo was stopped");
      }
    }
  }
}
