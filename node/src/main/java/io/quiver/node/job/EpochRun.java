package io.quiver.node.job;

import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.LoadException;
import io.quiver.client.loader.LoadedEpoch;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.core.ledger.EpochReport;
import io.quiver.core.ledger.LedgerReport;
import io.quiver.core.order.EqualSteps;
import io.quiver.node.Ticker;
import io.quiver.node.job.RankTraining.Lockstep;
import io.quiver.node.job.TrainingJob.EpochProgress;
import io.quiver.node.job.TrainingJob.JobWatcher;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** One epoch of a job: all its ranks in step, each in a thread of its own, to the last batch. */
final class EpochRun {
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final long LONGEST_END_SECONDS = 3;

  private final BatchLoader loader;
  private final LoaderConfig config;
  private final RunLedgers ledgers;
  private final int number;
  private final LongSupplier nanoTime;
  private final List<RankTraining> loops = new ArrayList<>();
  private final LoaderStatistics before;

  EpochRun(
      BatchLoader loader, RunLedgers ledgers, int number, Duration compute, LongSupplier nanoTime) {
    this.loader = loader;
    this.config = loader.config();
    this.ledgers = ledgers;
    this.number = number;
    this.nanoTime = nanoTime;
    this.before = loader.statistics();
    for (int rank = 0; rank < config.ranks(); rank++) {
      JobLedger ledger = ledgers.ofRank(rank);
      loops.add(
          new RankTraining(
              config.digest(), items -> compute.toNanos(), ledger::delivered, nanoTime));
    }
  }

  /** Runs it and judges it. */
  EpochResult run(JobWatcher watcher) throws IOException, InterruptedException {
    long begin = nanoTime.getAsLong();
    List<LoadedEpoch> epochs = new ArrayList<>();
    try {
      for (int rank = 0; rank < config.ranks(); rank++) {
        epochs.add(loader.epoch(number, rank));
      }
      long all = epochs.stream().mapToLong(LoadedEpoch::items).sum();
      try (Ticker _ = Ticker.every(LOOK_EVERY, () -> watcher.running(look(all)))) {
        train(epochs);
      }
    } finally {
      epochs.forEach(LoadedEpoch::close);
    }
    double seconds = (nanoTime.getAsLong() - begin) / 1e9;
    return result(seconds, ledgers.verify());
  }

  private void train(List<LoadedEpoch> epochs) throws IOException, InterruptedException {
    Lockstep lockstep = new Lockstep(epochs.size());
    ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("rank-", 0).factory());
    try {
      ExecutorCompletionService<Integer> ends = new ExecutorCompletionService<>(threads);
      for (int rank = 0; rank < epochs.size(); rank++) {
        int index = rank;
        ends.submit(() -> {
          loops.get(index).run(epochs.get(index), lockstep);
          return index;
        });
      }
      for (int rank = 0; rank < epochs.size(); rank++) {
        ends.take().get();
      }
    } catch (ExecutionException e) {
      throw failure(e);
    } finally {
      threads.shutdownNow();
      threads.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Returns the failure of one rank as the failure of the job. */
  private static IOException failure(ExecutionException e) throws InterruptedException {
    return switch (e.getCause()) {
      case IOException io -> io;
      case InterruptedException interrupted -> throw interrupted;
      case LoadException load -> throw load;
      case null, default -> throw new IllegalStateException("a rank failed", e);
    };
  }

  private EpochProgress look(long all) {
    return new EpochProgress(
        number,
        loops.stream().mapToLong(RankTraining::items).sum(),
        all,
        loader.statistics().since(before).delivered().hitRatio(),
        times().stall());
  }

  private EpochResult.LoopTimes times() {
    return new EpochResult.LoopTimes(
        loops.stream().mapToDouble(RankTraining::waitSeconds).sum(),
        loops.stream().mapToDouble(RankTraining::workSeconds).sum());
  }

  private EpochResult result(double seconds, LedgerReport report) {
    LoaderStatistics counted = loader.statistics().since(before);
    List<EpochReport> judged = report.epochs();
    EpochResult.Proof proof =
        new EpochResult.Proof(
            judged.stream().mapToInt(EpochReport::missing).max().orElse(report.items()),
            judged.stream().mapToInt(EpochReport::doubled).max().orElse(0),
            judged.isEmpty() ? 0 : judged.getLast().padded(),
            !judged.isEmpty() && judged.stream().allMatch(each -> isFine(each, config)));
    return new EpochResult(number, seconds, counted.delivered(), counted.store(), times(), proof);
  }

  /** Ranks that leave items out to stay in step may leave out one each, but not all of them. */
  static boolean isFine(EpochReport epoch, LoaderConfig config) {
    return epoch.doubled() == 0 && epoch.missing() <= mayLack(config);
  }

  /** Returns how many items an epoch may lack. */
  static int mayLack(LoaderConfig config) {
    return config.equalSteps() == EqualSteps.DROP ? config.ranks() - 1 : 0;
  }

  /** Items from the cache whose bytes were not the right ones. */
  long wrongItems() {
    return loops.stream().mapToLong(RankTraining::wrongItems).sum();
  }
}
