package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import java.util.List;

/** Runs one section. */
public final class SectionBenchmark {
  private SectionBenchmark() {}

  /** Measures; processes are ended and data is deleted before this returns. */
  public static List<Finding> run(
      Section section, SectionOptions options, BenchmarkListener listener)
      throws BenchmarkException, InterruptedException {
    listener.step(1, "nothing is measured yet for " + options);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return List.of();
  }
}
