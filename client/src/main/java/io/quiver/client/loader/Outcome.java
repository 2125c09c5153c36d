package io.quiver.client.loader;

import org.jspecify.annotations.Nullable;

/**
 * A draw that has been read, or has not.
 *
 * @param bytes how many bytes it was expected to have
 * @param batch what was read; null if that failed
 * @param failure why it failed; null if it did not
 */
record Outcome(long bytes, @Nullable ReadBatch batch, @Nullable RuntimeException failure) {
  /** Returns what the job delivers with it. */
  int[] items() {
    return batch == null ? new int[0] : batch.items();
  }
}
