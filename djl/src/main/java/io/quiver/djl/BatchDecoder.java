package io.quiver.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Record;
import java.util.List;

/**
 * Turns a whole batch into arrays at once, which is much cheaper than item by item where items are
 * small. Used by several threads where decoding runs ahead.
 */
@FunctionalInterface
public interface BatchDecoder {
  /**
   * Decodes a batch.
   *
   * @param manager to make arrays with; it goes when the batch is closed
   * @return data and labels of all items, with the batch as first dimension
   * @throws Exception what is wrong; a {@link DecodeException} names the item itself
   */
  Record decode(NDManager manager, List<ItemSample> samples) throws Exception;
}
