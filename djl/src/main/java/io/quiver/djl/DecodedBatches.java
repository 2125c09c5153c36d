package io.quiver.djl;

import java.util.Optional;

/** The batches of an epoch, decoded, in the order the loader gave them. */
interface DecodedBatches extends AutoCloseable {
  /** Waits for the next one; empty at the end. */
  Optional<Decoded> next();

  /** Ends what is under way. */
  @Override
  void close();
}
