package io.quiver.benchmarks.demo.run;

import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.LoadedEpoch;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.core.ledger.LedgerReport;
import io.quiver.node.job.EpochResult.LoopTimes;
import io.quiver.node.job.JobLedger;
import io.quiver.node.job.RankTraining;
import io.quiver.node.job.RankTraining.Lockstep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * One training job: takes batch after batch from its own loader and works on each for as long as a
 * GPU would. Everything it is given goes into its ledger, and one item of each batch is hashed to
 * see that the bytes are the right ones.
 */
final class DemoJob implements Callable<DemoJobResult> {
  private final DemoScenario scenario;
  private final int index;
  private final LoaderConfig config;
  private final Path ledgerFile;
  private final JobProgress progress;
  private final LongSupplier nanoTime;
  private final long zero;
  private final List<Double> epochEnds = new ArrayList<>();
  private final DeliveredOrder order;
  private long wrongItems;
  private LoopTimes times = new LoopTimes(0, 0);

  /**
   * A job that starts when its time has come.
   *
   * @param zero when the run began, on the clock given
   */
  DemoJob(
      DemoScenario scenario,
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
  public DemoJobResult call() throws IOException, InterruptedException {
    RankTraining.pauseUntil(zero + scenario.start(index).toNanos(), nanoTime);
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
    try (JobLedger ledger = new JobLedger(ledgerFile, JobLedger.header(config.job(), config, 0));
        BatchLoader loader = BatchLoader.open(config)) {
      RankTraining loop =
          new RankTraining(config.digest(), this::workNanos, ledgerAnd(ledger), nanoTime);
      for (int epoch = 0; epoch < scenario.epochs(); epoch++) {
        order.begin();
        try (LoadedEpoch batches = loader.epoch(epoch)) {
          loop.run(batches, new Lockstep(1));
        }
        epochEnds.add(seconds());
      }
      wrongItems = loop.wrongItems();
      times = new LoopTimes(loop.waitSeconds(), loop.workSeconds());
      return loader.statistics();
    }
  }

  private RankTraining.Sink ledgerAnd(JobLedger ledger) {
    return batch -> {
      ledger.delivered(batch);
      order.add(batch.items());
      progress.delivered(batch.size());
    };
  }

  private long workNanos(int items) {
    return Math.round(1e9 * items * scenario.itemSeconds(index, config.digest().itemCount()));
  }

  private DemoJobResult result(double started, LoaderStatistics statistics, LedgerReport report) {
    boolean proven = JobLedger.proves(report, scenario.epochs()) && wrongItems == 0;
    String verdict = JobLedger.words(report, scenario.epochs());
    return new DemoJobResult(
        config.job(),
        scenario.speed(index),
        started,
        epochEnds,
        statistics,
        times,
        proven,
        wrongItems == 0 ? verdict : verdict + ", " + wrongItems + " items with wrong bytes");
  }

  private double seconds() {
    return (nanoTime.getAsLong() - zero) / 1e9;
  }

  /** Tracks the progress of a job, written by its own thread and read by others. */
  static final class JobProgress {
    /** The stages of a job. */
    enum Stage {
      WAITING,
      RUNNING,
      DONE
    }

    private final AtomicLong items = new AtomicLong();
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

    void delivered(int count) {
      items.addAndGet(count);
    }

    void enter(Stage next) {
      stage.set(next);
    }

    long items() {
      return items.get();
    }

    boolean done() {
      return stage.get() == Stage.DONE;
    }
  }
}
