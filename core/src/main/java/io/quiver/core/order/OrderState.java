package io.quiver.core.order;

/**
 * Records how far a job has come in an epoch: enough to go on after a restart, also with another
 * number of ranks. It counts what was delivered to the training loop, not what was read ahead.
 */
public sealed interface OrderState permits EpochState, ListState {
  /** Returns the job's seed. */
  long seed();

  /** Returns the number of the epoch. */
  int epoch();

  /** Returns how many items the data set has. */
  int items();

  /** Throws if this state was made by a job with another seed or data set. */
  default void requireFits(OrderSetup setup) {
    if (items() != setup.items() || seed() != setup.seed()) {
      throw new IllegalArgumentException(
          "a state of %d items and seed %d does not fit a job of %d items and seed %d"
              .formatted(items(), seed(), setup.items(), setup.seed()));
    }
  }
}
