package io.quiver.benchmarks.doors;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.section.SectionOptions;
import io.quiver.benchmarks.workbench.NativePrograms;
import io.quiver.benchmarks.workbench.Workbench;
import java.util.List;

/** Measures the doors for unmodified programs, each beside peers in one interleaved run. */
public final class DoorsBenchmark {
  private DoorsBenchmark() {}

  /** Runs everything; processes are ended and data is deleted before this returns. */
  public static List<DoorsRow> run(SectionOptions options, BenchmarkListener listener)
      throws BenchmarkException, InterruptedException {
    try (Workbench workbench = Workbench.in(options.directory())) {
      listener.step(0, "compiling the program that reads");
      return new MountSpeed(
              workbench, NativePrograms.mountLoad(workbench), options.quick(), listener)
          .run();
    }
  }
}
