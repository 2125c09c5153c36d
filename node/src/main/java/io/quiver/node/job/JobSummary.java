package io.quiver.node.job;

import io.quiver.client.loader.LoaderConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The result of a run of a job.
 *
 * @param job the job's name
 * @param config what it was made with
 * @param ledger where its ledgers are; empty if they were not kept
 * @param epochs the epochs it took part in
 * @param wrongItems items from the cache whose bytes were not the right ones
 * @param exactlyOnce whether its ledgers prove every epoch
 */
public record JobSummary(
    String job,
    LoaderConfig config,
    Optional<Path> ledger,
    List<EpochResult> epochs,
    long wrongItems,
    boolean exactlyOnce) {
  /** Keeps its own copy. */
  public JobSummary {
    epochs = List.copyOf(epochs);
  }

  /** Returns all epochs together; empty when there was nothing left to do. */
  public Optional<EpochResult> total() {
    return epochs.stream().reduce(EpochResult::plus);
  }
}
