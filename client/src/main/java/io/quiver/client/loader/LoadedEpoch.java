package io.quiver.client.loader;

import io.quiver.core.order.EpochState;
import java.time.Duration;
import java.util.Optional;

/**
 * One rank's way through one epoch. Reading ahead begins when it is made. To be used by one thread;
 * only {@link #statistics()} and {@link #state()} may be asked by others.
 */
public interface LoadedEpoch extends AutoCloseable {
  /** Returns which epoch. */
  int number();

  /** Returns which rank. */
  int rank();

  /**
   * Returns the next batch, which the caller closes; empty at the end of the epoch. Waits as long
   * as it takes to read it: every read has its own deadline.
   *
   * @throws LoadException if an item cannot be read; its batch's items are not delivered and come
   *     again with the next calls
   */
  Optional<Batch> next();

  /** The training loop says how much of its own time since the last batch was preparation. */
  void transformed(Duration time);

  /**
   * The training loop says how much of its own time since the last batch it waited for other ranks,
   * as data-parallel training does in every step: that is not its work and says nothing about how
   * fast it is.
   */
  void waitedForOthers(Duration time);

  /**
   * Reports the losses of the batch that was handed out last, one for each of its samples: a job
   * that reads by importance learns from them what to read more often. A loss that is not a number
   * is passed over.
   *
   * @throws IllegalStateException if there is no such batch, or the job does not read by importance
   * @throws IllegalArgumentException if there are more or fewer losses than samples
   */
  void report(double[] losses);

  /** Returns how many items this rank delivers in this epoch, from its beginning or resumption. */
  int items();

  /** Returns where this rank stands, counting what {@link #next()} has handed out. */
  EpochState state();

  /** Returns what happened in this epoch so far. */
  LoaderStatistics statistics();

  /** Ends reading ahead; what was read and not handed out is not delivered. */
  @Override
  void close();
}
