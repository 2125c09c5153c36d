package io.quiver.simulator.igt.prefetch;

import io.quiver.core.stream.PrefetchAdvice.Outcome;

/** A way of reading ahead. */
interface Prefetcher {
  /** Reads nothing ahead. */
  Prefetcher NONE = (read, fetcher) -> {};

  /**
   * A read of a program.
   *
   * @param file the number of the file
   * @param block the number of the block in it
   * @param reader who reads
   */
  record Asked(int file, int block, int reader) {}

  /** Brings blocks from the store before a program asks for them. */
  interface Fetcher {
    /** Returns the time. */
    long now();

    /** Begins to read a block ahead, unless it is at hand or too much is under way. */
    Outcome ahead(int file, int block);

    /**
     * Returns how many blocks could be read now that nobody waits for: 0 unless the store idles.
     */
    int fillRoom();

    /** Begins to read a block that nobody waits for, if there is room. */
    Outcome fill(int file, int block);
  }

  /** Learns that a program asks for a block, and reads ahead. */
  void asked(Asked read, Fetcher fetcher);

  /**
   * Learns that a program has got what it asked for.
   *
   * @param waited true if it waited for the store, whoever had asked it
   */
  default void read(Asked read, boolean waited, long tookNanos, Fetcher fetcher) {}

  /**
   * Lets time pass; called often while a job runs, and when a block was brought that nobody waits
   * for.
   */
  default void tick(Fetcher fetcher) {}

  /** Returns true if {@link #tick} is of any use. */
  default boolean ticks() {
    return false;
  }
}
