package io.quiver.benchmarks;

/** Hears what a benchmark is doing, for a progress line. Called from the benchmark's thread. */
@FunctionalInterface
public interface BenchmarkListener {
  /** A listener for those who do not care. */
  BenchmarkListener SILENT = (done, step) -> {};

  /**
   * Reports that a step begins.
   *
   * @param done the part of the whole run that is over, 0 to 1
   * @param step what happens now, in a few words
   */
  void step(double done, String step);
}
