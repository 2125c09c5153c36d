package io.quiver.benchmarks.serve;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import java.util.List;

/** Measures warm batch reads of Quiver and its peers in one interleaved run. */
public final class ServeBenchmark {
  private ServeBenchmark() {}

  /**
   * Runs everything. Processes are ended and data is deleted before this returns, also when it
   * fails or the JVM is told to stop.
   */
  public static List<ServeResult> run(ServeBenchmarkOptions options, BenchmarkListener listener)
      throws BenchmarkException, InterruptedException {
    listener.step(1, "nothing is measured yet for " + options.workloads());
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return List.of();
  }
}
