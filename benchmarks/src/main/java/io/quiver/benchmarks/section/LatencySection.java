package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.load.LoadGenerator;
import io.quiver.benchmarks.load.LoadResult;
import io.quiver.benchmarks.load.LoadShape;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.peer.QuiverServer;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.NativePrograms;
import io.quiver.benchmarks.workbench.Workbench;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Single reads of 150 KB, one after the other on a connection of their own, while two other
 * connections keep the server at half of what it can do in batches.
 */
final class LatencySection {
  private static final double TARGET = 3;
  private static final int BLOB_BYTES = 150_000;
  private static final int BATCH = 128;

  /** A load that lasts a little longer than what is measured under it. */
  private static final double MARGIN_SECONDS = 0.5;

  private final Workbench workbench;
  private final SectionOptions options;
  private final BenchmarkListener listener;

  LatencySection(Workbench workbench, SectionOptions options, BenchmarkListener listener) {
    this.workbench = workbench;
    this.options = options;
    this.listener = listener;
  }

  List<Finding> run() throws BenchmarkException, InterruptedException {
    NativePrograms programs = NativePrograms.compile(workbench);
    LoadGenerator generator = new LoadGenerator(workbench, programs.loadGenerator());
    BlobSet set = BlobSet.create(workbench, BLOB_BYTES, 2_000, options.seed());
    QuiverServer server = QuiverServer.start(workbench, "latency", List.of(set));
    LoadTarget batches = server.target(set);
    LoadTarget singles = new LoadTarget("quiver-single", server.port(), batches.processes());
    listener.step(0.1, "warming the server");
    double seconds = options.quick() ? 3 : 10;
    generator.run("warm", batches, set, LoadShape.full(BATCH, 0, seconds, 1));
    generator.run("warm", singles, set, LoadShape.full(1, 0, seconds / 2, 1));
    listener.step(0.4, "measuring the full load");
    double full =
        generator
            .run("full", batches, set, LoadShape.full(BATCH, 0.3, 1.5, 2))
            .gigabytesPerSecond();
    List<Finding> findings = new ArrayList<>();
    findings.add(Finding.plain("full load, 128 x 150 KB", full, "GB/s"));
    listener.step(0.5, "single reads under half load");
    measure("GET of one blob", generator, set, batches, singles, full, seconds, findings);
    listener.step(0.75, "batches of one under half load");
    measure("batch of one blob", generator, set, batches, batches, full, seconds, findings);
    return findings;
  }

  private void measure(
      String name,
      LoadGenerator generator,
      BlobSet set,
      LoadTarget loaded,
      LoadTarget asked,
      double full,
      double seconds,
      List<Finding> findings)
      throws BenchmarkException, InterruptedException {
    Path latencies = workbench.directory().resolve("latencies");
    LoadShape background =
        new LoadShape(
            BATCH, 2, 0, seconds + 2 * MARGIN_SECONDS, 3, full * 1e9 / 2, Optional.empty());
    LoadShape single = new LoadShape(1, 1, MARGIN_SECONDS, seconds, 4, 0, Optional.of(latencies));
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<LoadResult> load =
          executor.submit(() -> generator.run("background", loaded, set, background));
      generator.run("single", asked, set, single);
      double share = load.get().gigabytesPerSecond() / full;
      findings.add(Finding.plain(name + ", share of the full load beside it", share, ""));
    } catch (ExecutionException e) {
      throw new BenchmarkException("the background load failed: " + e.getCause(), e);
    }
    report(name, histogram(latencies), findings);
  }

  private static void report(String name, Histogram histogram, List<Finding> findings) {
    double median = histogram.getValueAtPercentile(50) / 1e3;
    double high = histogram.getValueAtPercentile(99) / 1e3;
    findings.add(Finding.plain(name + ", median", median, "us"));
    findings.add(Finding.ratioAtMost(name + ", p99", high, "us", "median", median, TARGET));
  }

  private static Histogram histogram(Path latencies) throws BenchmarkException {
    try {
      LongBuffer nanos =
          ByteBuffer.wrap(Files.readAllBytes(latencies))
              .order(ByteOrder.nativeOrder())
              .asLongBuffer();
      Histogram histogram = new Histogram(3);
      while (nanos.hasRemaining()) {
        histogram.recordValue(nanos.get());
      }
      return histogram;
    } catch (IOException e) {
      throw new BenchmarkException("cannot read " + latencies + ": " + e.getMessage(), e);
    }
  }
}
