package io.quiver.client.loader;

import io.quiver.core.engine.ReadRules;
import java.time.Duration;

/**
 * Bounds on the inserts of items that were read from the store.
 *
 * @param items most items of one insert
 * @param bytes most bytes of one insert; a longer item goes alone
 * @param queueBytes most bytes that wait; what does not fit is not inserted
 * @param linger how long an item waits for others to go with it
 */
public record InsertBounds(int items, long bytes, long queueBytes, Duration linger) {
  /** Inserts of up to 64 items or 4 MiB after at most 5 ms, 128 MiB waiting. */
  public static final InsertBounds STANDARD =
      new InsertBounds(
          ReadRules.INSERT_ITEMS,
          ReadRules.INSERT_BYTES,
          ReadRules.INSERT_QUEUE_BYTES,
          ReadRules.INSERT_LINGER);

  private static final int MAX_ITEMS = 4096;

  /** Checks the bounds. */
  public InsertBounds {
    if (items < 1 || items > MAX_ITEMS || bytes < 1 || queueBytes < 0 || linger.isNegative()) {
      throw new IllegalArgumentException(
          "inserts of "
              + items
              + " items or "
              + bytes
              + " bytes after "
              + linger
              + ", "
              + queueBytes
              + " bytes waiting; use 1 to "
              + MAX_ITEMS
              + " items and bounds that are not negative");
    }
  }
}
