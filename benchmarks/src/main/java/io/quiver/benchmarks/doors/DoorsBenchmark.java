package io.quiver.benchmarks.doors;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.section.SectionOptions;
import io.quiver.benchmarks.workbench.NativePrograms;
import io.quiver.benchmarks.workbench.Workbench;
import java.util.ArrayList;
import java.util.List;

/** Measures the doors for unmodified programs, each beside peers in one interleaved run. */
public final class DoorsBenchmark {
  private DoorsBenchmark() {}

  /** Runs everything; processes are ended and data is deleted before this returns. */
  public static List<DoorsRow> run(SectionOptions options, BenchmarkListener listener)
      throws BenchmarkException, InterruptedException {
    try (Workbench workbench = Workbench.in(options.directory())) {
      listener.step(0, "compiling the programs that read");
      NativePrograms.DoorReaders readers = NativePrograms.doorReaders(workbench);
      List<DoorsRow> rows = new ArrayList<>();
      BenchmarkListener firstPart = (done, step) -> listener.step(done * 0.3, step);
      rows.addAll(new S3Speed(workbench, readers.http(), options.quick(), firstPart).run());
      BenchmarkListener secondPart = (done, step) -> listener.step(0.3 + done * 0.3, step);
      rows.addAll(new SlowS3Speed(workbench, options.quick(), secondPart).run());
      BenchmarkListener thirdPart = (done, step) -> listener.step(0.6 + done * 0.4, step);
      rows.addAll(new MountSpeed(workbench, readers.mount(), options.quick(), thirdPart).run());
      return rows;
    }
  }
}
