package io.quiver.core.stream;

/**
 * Advises a door to read a block before a program asks for it.
 *
 * @param path the object's name below the root of its store
 * @param block the number of the block in its object
 * @param purpose where the bytes go
 */
public record PrefetchAdvice(String path, int block, Purpose purpose) {
  /** The places for bytes that are read ahead. */
  public enum Purpose {
    /** A reader that goes forward wants it soon: into the door's memory, and no further. */
    AHEAD,
    /** Its stream is random and nearly all of it fits: into the cache, when the store is idle. */
    FILL
  }

  /** Ends of an advice. */
  public enum Outcome {
    /** The block was read from the store. */
    FETCHED,
    /** The block was at hand already, or another door reads it. */
    HELD,
    /** The store has no such block, or reading it failed. */
    FAILED,
    /** The door had no room or no time for it. */
    DROPPED
  }
}
