package io.quiver.simulator.igt;

/** Answers the reads of programs, from a cache or from the store. */
interface ReadPath {
  /** Begins a program's life: its machine and what it lists. */
  default void begin(RunningProgram job, ProgramSpec.Phase phase) {}

  /**
   * Reads a block for a worker, which is told by {@link RunningProgram#arrived} when it has the
   * bytes.
   *
   * @param block the number of the block in its set
   */
  void read(RunningProgram job, int worker, FileSet files, int block);

  /** Notes that a program has ended. */
  default void ended(RunningProgram job) {}
}
