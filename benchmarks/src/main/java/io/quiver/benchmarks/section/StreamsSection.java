package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Workbench;
import java.time.Duration;
import java.util.List;

/**
 * A full tree of access streams: the processor time that it adds to a read, and the memory that it
 * and a listing of a million files take. Measured in a JVM of its own.
 */
final class StreamsSection {
  private static final int READS = 2_000_000;
  private static final int QUICK_READS = 400_000;

  /** Garbage that a collection leaves where it is would count as memory of the tree. */
  private static final List<String> EXACT = List.of("-XX:MarkSweepAlwaysCompactCount=1");

  private static final Duration LIMIT = Duration.ofMinutes(4);

  private final Workbench workbench;
  private final SectionOptions options;
  private final BenchmarkListener listener;

  StreamsSection(Workbench workbench, SectionOptions options, BenchmarkListener listener) {
    this.workbench = workbench;
    this.options = options;
    this.listener = listener;
  }

  List<Measurement> run() throws BenchmarkException, InterruptedException {
    int reads = options.quick() ? QUICK_READS : READS;
    listener.step(0.1, "noting " + reads + " reads");
    List<String> arguments = List.of(Integer.toString(reads), Long.toString(options.seed()));
    String output =
        workbench.run("streams", Jvm.command(StreamsProcess.class, EXACT, arguments), LIMIT);
    String[] figures = output.strip().split(" ", -1);
    try {
      return List.of(
          Measurement.atMost(
              "read added to a full tree", Double.parseDouble(figures[0]), "microseconds", 2),
          Measurement.atMost(
              "longest batch of 256 such reads", Double.parseDouble(figures[1]), "ms", 50),
          Measurement.plain("streams in it", Double.parseDouble(figures[2]), "nodes"),
          Measurement.atMost("tree", Double.parseDouble(figures[3]), "MB of heap", 8),
          Measurement.ratioAtMost(
              "tree and names, as told",
              Double.parseDouble(figures[4]),
              "MB",
              "heap in use",
              Double.parseDouble(figures[5]),
              1.25),
          Measurement.atMost(
              "listing of a million files", Double.parseDouble(figures[6]), "MB of heap", 64));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new BenchmarkException("the streams process printed \"" + output.strip() + "\"", e);
    }
  }
}
