package io.quiver.client.loader;

import io.quiver.core.order.EpochState;
import io.quiver.core.plan.JobPlan;
import java.util.Optional;

/**
 * Reads the batches of one job, epoch after epoch. Several ranks of the job may run in threads of
 * one process; each walks through its own {@link LoadedEpoch}s.
 */
public interface BatchLoader extends AutoCloseable {
  /**
   * Joins the cache, and its manager if there is one.
   *
   * @throws LoadException if another job of that name is running
   */
  static BatchLoader open(LoaderConfig config) {
    return Job.open(config);
  }

  /** Begins an epoch of the first rank this process has. */
  default LoadedEpoch epoch(int number) {
    return epoch(number, config().rank());
  }

  /**
   * Begins an epoch of a rank.
   *
   * @param number which epoch, from 0; the one that is resumed goes on where it was
   * @param rank one of the ranks this process has
   */
  LoadedEpoch epoch(int number, int rank);

  /**
   * Returns where all ranks of this process stand together, in the epoch that the last of them is
   * in.
   */
  EpochState state();

  /**
   * Reports the losses of any samples of a batch, late ones too.
   *
   * @throws IllegalStateException if the job does not read by importance
   * @throws IllegalArgumentException if there is not one loss for each item, or no such item
   */
  void report(int[] items, double[] losses);

  /**
   * Reports the accuracy on validation data, larger is better, usually once an epoch. When the
   * latest six clearly fall, a job that reads by importance returns to plain shuffles.
   *
   * @throws IllegalStateException if the job does not read by importance
   */
  void reportValidation(double accuracy);

  /**
   * Returns where a job that reads by importance stands, over all its ranks.
   *
   * @throws IllegalStateException if it does not
   */
  ImportanceState importanceState();

  /** Returns the latest plan it follows; empty before there is one. */
  Optional<JobPlan> plan();

  /** Returns what happened so far, in all epochs. */
  LoaderStatistics statistics();

  /** Returns what it was made with. */
  LoaderConfig config();

  /** Leaves the manager, ends what is under way and waits for it, briefly. The store stays open. */
  @Override
  void close();
}
