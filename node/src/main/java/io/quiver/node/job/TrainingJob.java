package io.quiver.node.job;

import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.order.EpochState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A whole training job: epoch after epoch, each proven by its ledgers before the next begins. It
 * ends at the first that is not exactly once.
 */
public final class TrainingJob {
  private final LoaderConfig config;
  private final Duration compute;
  private final JobStart start;
  private final JobWatcher watcher;

  /**
   * A job.
   *
   * @param compute how long one rank works on a batch
   */
  public TrainingJob(JobStart start, Duration compute, JobWatcher watcher) {
    this.config = start.config();
    this.compute = compute;
    this.start = start;
    this.watcher = watcher;
  }

  /** Runs what is left of it. */
  public JobSummary run() throws IOException, InterruptedException {
    if (start.isDone()) {
      return new JobSummary(
          start.name(), config, start.kept(), List.of(), 0, start.verifyEarlier());
    }
    int first = config.resume().map(EpochState::epoch).orElse(0);
    List<EpochResult> results = new ArrayList<>();
    long wrongItems = 0;
    boolean fine = true;
    try (BatchLoader loader = BatchLoader.open(config);
        RunLedgers ledgers = RunLedgers.begin(start.files(), start.name(), config)) {
      for (int epoch = first; epoch < config.epochs() && fine; epoch++) {
        EpochRun run = new EpochRun(loader, ledgers, epoch, compute, System::nanoTime);
        EpochResult result = run.run(watcher);
        results.add(result);
        wrongItems += run.wrongItems();
        watcher.ended(result);
        fine = result.proof().exactlyOnce();
      }
    }
    return new JobSummary(start.name(), config, start.kept(), results, wrongItems, fine);
  }

  /** Told how a job comes along. */
  public interface JobWatcher {
    /** A few times a second, by another thread than the job's. */
    void running(EpochProgress now);

    /** At the end of each epoch. */
    void ended(EpochResult result);
  }

  /**
   * The progress of a running epoch.
   *
   * @param epoch which, from 0
   * @param samples samples delivered so far
   * @param all samples there will be
   * @param hitRatio which part of them came from the cache
   * @param stall which part of its time the job waited
   */
  public record EpochProgress(int epoch, long samples, long all, double hitRatio, double stall) {}
}
