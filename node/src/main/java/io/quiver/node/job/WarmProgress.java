package io.quiver.node.job;

/**
 * The progress of a data set that is being brought into the cache.
 *
 * @param phase what is being done
 * @param bytes bytes done in this phase
 * @param all bytes there will be, as far as is known
 */
public record WarmProgress(Phase phase, long bytes, long all) {
  /** The phases of warming. */
  public enum Phase {
    /** Chunks are brought in. */
    LOADING,
    /** Every item is looked up. */
    LOOKING,
    /** Items are read back and hashed. */
    READING
  }
}
