package io.quiver.djl;

import ai.djl.training.dataset.Batch;
import java.util.List;

/**
 * A batch ready for the training loop.
 *
 * @param batch what DJL gets
 * @param items those of its items that count as delivered: all but padding
 */
record Decoded(Batch batch, List<Integer> items) {}
