package io.quiver.client.loader;

import java.nio.ByteBuffer;

/**
 * Items handed to the training loop. Their bytes lie in memory that is used again after {@link
 * #close()}: whoever needs them longer copies them.
 */
public interface Batch extends AutoCloseable {
  /** The epoch it belongs to. */
  int epoch();

  /** How many items it has. */
  int size();

  /** Which item is at a place, as the digest counts. */
  int item(int place);

  /** All items in order. */
  int[] items();

  /** The bytes of the item at a place, in a read-only buffer of the caller's own. */
  ByteBuffer bytes(int place);

  /** The bytes of all items together. */
  long totalBytes();

  /** Where the item at a place came from. */
  ItemSource source(int place);

  /**
   * Whether the item at a place is another rank's, repeated so that all ranks take equally many
   * steps.
   */
  default boolean isPadding(int place) {
    return false;
  }

  /** Gives the memory back; closing twice is harmless. */
  @Override
  void close();
}
