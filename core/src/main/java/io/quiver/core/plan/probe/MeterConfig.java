package io.quiver.core.plan.probe;

/**
 * Settings for measuring a job's speed.
 *
 * @param discarded how many batches after a change of supplyMode tell nothing, because the loader
 *     had begun to read them, or others beside them, before
 * @param block how many batches are timed together: batches that are read at the same time come at
 *     the same time, too, so that one by itself tells nothing
 * @param blocks how many of the latest blocks count
 */
public record MeterConfig(int discarded, int block, int blocks) {
  private static final int BLOCKS = 15;

  /** Refuses what measures nothing. */
  public MeterConfig {
    if (discarded < 0 || block < 1 || blocks < 1) {
      throw new IllegalArgumentException(
          blocks + " blocks of " + block + " batches after " + discarded);
    }
  }

  /** For a loader that reads so many batches ahead. */
  public static MeterConfig ahead(int batches) {
    return new MeterConfig(2 * batches, 2 * batches, BLOCKS);
  }

  /**
   * Returns how many batches a probe needs: two whole blocks, whatever is under way before and
   * after.
   */
  public int leastProbe() {
    return 2 * discarded + 2 * block;
  }
}
