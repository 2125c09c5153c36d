package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.workbench.Workbench;
import java.util.List;

/** Runs one section. */
public final class SectionBenchmark {
  private SectionBenchmark() {}

  /** Measures; processes are ended and data is deleted before this returns. */
  public static List<Measurement> run(
      Section section, SectionOptions options, BenchmarkListener listener)
      throws BenchmarkException, InterruptedException {
    try (Workbench workbench = Workbench.in(options.directory())) {
      listener.step(0, "preparing");
      return switch (section) {
        case COLD -> new ColdSection(workbench, options, listener).run();
        case PUT -> new PutSection(workbench, options, listener).run();
        case DIGEST -> new DigestSpeedSection(workbench, options, listener).run();
        case INDEX -> new IndexSection(workbench, options, listener).run();
        case PLAN -> new PlanSection(options, listener).run();
        case STREAMS -> new StreamsSection(workbench, options, listener).run();
        case LATENCY -> new LatencySection(workbench, options, listener).run();
      };
    }
  }
}
