package io.quiver.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Record;

/** Turns the bytes of one item into arrays. Used by several threads where decoding runs ahead. */
@FunctionalInterface
public interface Decoder {
  /**
   * Decodes an item.
   *
   * @param manager to make arrays with; it goes when the batch has been put together
   * @return data and labels of this item, without a batch dimension
   * @throws Exception what is wrong with the item; the message the user sees says where it lies
   */
  Record decode(NDManager manager, ItemSample sample) throws Exception;
}
