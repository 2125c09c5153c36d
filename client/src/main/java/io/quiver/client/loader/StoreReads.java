package io.quiver.client.loader;

import io.quiver.core.engine.ReadRules;

/**
 * Bounds on concurrent reads from the store.
 *
 * @param all most of them together
 * @param preload most of them that bring chunks in ahead of time; they go last
 */
public record StoreReads(int all, int preload) {
  /** Sixteen, half of them to preload. */
  public static final StoreReads STANDARD =
      new StoreReads(ReadRules.STORE_READS, ReadRules.PRELOAD_READS);

  private static final int MAX = 4096;

  /** Checks both bounds. */
  public StoreReads {
    if (all < 1 || all > MAX || preload < 0 || preload > all) {
      throw new IllegalArgumentException(
          all
              + " reads from the store at once, "
              + preload
              + " of them to preload; use 1 to "
              + MAX
              + ", and no more to preload than there are");
    }
  }
}
