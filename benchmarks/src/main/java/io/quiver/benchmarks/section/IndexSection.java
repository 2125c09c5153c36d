package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Workbench;
import java.time.Duration;
import java.util.List;

/**
 * The store at ten million blobs: each is empty but for a few bytes, so that the index is what
 * counts. Measured in a JVM with the server's options, over a real store with real files.
 */
final class IndexSection {
  private static final int BLOBS = 10_000_000;
  private static final int QUICK_BLOBS = 2_000_000;
  private static final Duration LIMIT = Duration.ofMinutes(4);

  private final Workbench workbench;
  private final SectionOptions options;
  private final BenchmarkListener listener;

  IndexSection(Workbench workbench, SectionOptions options, BenchmarkListener listener) {
    this.workbench = workbench;
    this.options = options;
    this.listener = listener;
  }

  List<Measurement> run() throws BenchmarkException, InterruptedException {
    int blobs = options.quick() ? QUICK_BLOBS : BLOBS;
    listener.step(0.1, "storing " + blobs + " small blobs");
    List<String> arguments = List.of(workbench.folder("index").toString(), Integer.toString(blobs));
    String output = workbench.run("index", Jvm.command(IndexProcess.class, arguments), LIMIT);
    String[] figures = output.strip().split(" ", -1);
    try {
      String scale = " at " + blobs / 1_000_000 + " million blobs";
      return List.of(
          Measurement.atMost("index" + scale, Double.parseDouble(figures[0]), "bytes per blob", 32),
          Measurement.atMost("lookup" + scale, Double.parseDouble(figures[1]), "ns", 150),
          Measurement.atMost("heap" + scale, Double.parseDouble(figures[2]), "MB", 256),
          Measurement.plain("inserting small blobs", Double.parseDouble(figures[3]), "per second"));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new BenchmarkException("the index process printed \"" + output.strip() + "\"", e);
    }
  }
}
