package io.quiver.client.loader;

import io.quiver.core.engine.ReadAheadWindow;

/**
 * Bounds on reading ahead of the training loop.
 *
 * @param batches most batches being read or waiting to be taken
 * @param bytes most bytes of them; one batch is always allowed
 */
public record ReadAhead(int batches, long bytes) {
  /** Four batches, at most 256 MiB. */
  public static final ReadAhead STANDARD =
      new ReadAhead(ReadAheadWindow.STANDARD_BATCHES, ReadAheadWindow.STANDARD_BYTES);

  private static final int MAX_BATCHES = 1024;

  /** Checks both bounds. */
  public ReadAhead {
    if (batches < 1 || batches > MAX_BATCHES || bytes < 1) {
      throw new IllegalArgumentException(
          "reading "
              + batches
              + " batches or "
              + bytes
              + " bytes ahead; use 1 to "
              + MAX_BATCHES
              + " batches and at least a byte");
    }
  }
}
