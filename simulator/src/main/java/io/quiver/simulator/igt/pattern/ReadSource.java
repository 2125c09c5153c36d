package io.quiver.simulator.igt.pattern;

/** The reads of a stream, without end. */
interface ReadSource {
  /**
   * A read.
   *
   * @param item the number of its item
   * @param reader who reads; readers that nobody can tell apart share a number
   */
  record Read(int item, int reader) {}

  /** Returns the next read. */
  Read next();
}
