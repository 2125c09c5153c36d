package io.quiver.djl;

import ai.djl.training.dataset.Batch;
import java.util.List;
import java.util.Optional;

/** The batches of an epoch, decoded, in the order the loader gave them. */
interface DecodedBatches extends AutoCloseable {
  /** Waits for the next one; empty at the end. */
  Optional<Decoded> next();

  /** Ends what is under way. */
  @Override
  void close();

  /**
   * A batch ready for the training loop.
   *
   * @param batch what DJL gets
   * @param items those of its items that count as delivered: all but padding
   */
  record Decoded(Batch batch, List<Integer> items) {}
}
