package io.quiver.client.loader;

import java.nio.ByteBuffer;

/**
 * Items handed to the training loop. Their bytes lie in memory that is used again after {@link
 * #close()}: whoever needs them longer copies them.
 */
public interface Batch extends AutoCloseable {
  /** Returns the epoch it belongs to. */
  int epoch();

  /** Returns how many items it has. */
  int size();

  /** Returns which item is at a place, as the digest counts. */
  int item(int place);

  /** Returns all items in order. */
  int[] items();

  /** Returns the bytes of the item at a place, in a read-only buffer of the caller's own. */
  ByteBuffer bytes(int place);

  /** Returns the bytes of all items together. */
  long totalBytes();

  /** Returns where the item at a place came from. */
  ItemSource source(int place);

  /**
   * Returns true if the item at a place is another rank's, repeated so that all ranks take equally
   * many steps.
   */
  default boolean isPadding(int place) {
    return false;
  }

  /**
   * Returns the weight of the sample at a place in the loss, which keeps the mean over a list drawn
   * by importance that over the data set; 1 for every sample of any other batch.
   */
  default double weight(int place) {
    return 1;
  }

  /** Gives the memory back; closing twice is harmless. */
  @Override
  void close();

  /** The sources of an item's bytes. */
  enum ItemSource {
    /** The cache had it when it was asked for. */
    CACHE,
    /** The cache got it from another job while this one waited. */
    COOPERATIVE,
    /** This job read it from the store. */
    STORE
  }
}
