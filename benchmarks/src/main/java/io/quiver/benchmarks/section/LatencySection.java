package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.load.LoadGenerator;
import io.quiver.benchmarks.load.LoadGenerator.LoadShape;
import io.quiver.benchmarks.load.LoadResult;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.peer.QuiverServer;
import io.quiver.benchmarks.peer.ReferenceServer;
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
import org.jspecify.annotations.Nullable;

/**
 * Single reads of 150 KB on a connection of their own, a thousand in a second, while two other
 * connections ask for batches; all of them together keep the server at half of what it can do.
 *
 * <p>The C server is measured in the same way, because on a machine where servers and load
 * generator share a few processors the longest waits are as much the scheduler's as the server's.
 */
final class LatencySection {
  private static final double TARGET = 3;
  private static final int BLOB_BYTES = 150_000;
  private static final int BATCH = 128;
  private static final int READS_PER_SECOND = 1_000;

  /** A load that lasts a little longer than what is measured under it. */
  private static final double MARGIN_SECONDS = 0.5;

  private final Workbench workbench;
  private final SectionOptions options;
  private final BenchmarkListener listener;
  private final List<Measurement> findings = new ArrayList<>();

  LatencySection(Workbench workbench, SectionOptions options, BenchmarkListener listener) {
    this.workbench = workbench;
    this.options = options;
    this.listener = listener;
  }

  List<Measurement> run() throws BenchmarkException, InterruptedException {
    NativePrograms programs = NativePrograms.compile(workbench);
    LoadGenerator generator = new LoadGenerator(workbench, programs.loadGenerator());
    BlobSet set = BlobSet.create(workbench, BLOB_BYTES, 2_000, options.seed());
    QuiverServer server = QuiverServer.start(workbench, "latency", List.of(set));
    LoadTarget batches = server.target(set);
    LoadTarget singles = new LoadTarget("quiver-single", server.port(), batches.processes());
    LoadTarget reference = ReferenceServer.start(workbench, programs, List.of(set)).target(set);
    listener.step(0.1, "warming the server");
    generator.run("warm", batches, set, LoadShape.full(BATCH, 0, seconds(), 1));
    generator.run("warm", singles, set, LoadShape.full(1, 0, seconds() / 2, 1));
    listener.step(0.3, "reads beside half the full load");
    measure("GET of one blob", generator, set, batches, singles, TARGET);
    listener.step(0.55, "batches of one beside half the full load");
    measure("batch of one blob", generator, set, batches, batches, TARGET);
    listener.step(0.8, "the same of the C server");
    measure("C reference, batch of one", generator, set, reference, reference, null);
    return findings;
  }

  private double seconds() {
    return options.quick() ? 3 : 10;
  }

  private void measure(
      String name,
      LoadGenerator generator,
      BlobSet set,
      LoadTarget loaded,
      LoadTarget asked,
      @Nullable Double target)
      throws BenchmarkException, InterruptedException {
    double full =
        generator.run("full", loaded, set, LoadShape.full(BATCH, 0.3, 1.5, 2)).gigabytesPerSecond();
    Path latencies = workbench.directory().resolve("latencies");
    double readRate = (double) READS_PER_SECOND * BLOB_BYTES;
    double batchRate = Math.max(1, full * 1e9 / 2 - readRate);
    double loadSeconds = seconds() + 2 * MARGIN_SECONDS;
    LoadShape background = new LoadShape(BATCH, 2, 0, loadSeconds, 3, batchRate, Optional.empty());
    LoadShape single =
        new LoadShape(1, 1, MARGIN_SECONDS, seconds(), 4, readRate, Optional.of(latencies));
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<LoadResult> load =
          executor.submit(() -> generator.run("background", loaded, set, background));
      double read = generator.run("single", asked, set, single).gigabytesPerSecond();
      double share = (load.get().gigabytesPerSecond() + read) / full;
      findings.add(Measurement.plain(name + ", share of the full load", share, ""));
    } catch (ExecutionException e) {
      throw new BenchmarkException("the background load failed: " + e.getCause(), e);
    }
    report(name, histogram(latencies), target);
  }

  private void report(String name, Histogram histogram, @Nullable Double target) {
    double median = histogram.getValueAtPercentile(50) / 1e3;
    double high = histogram.getValueAtPercentile(99) / 1e3;
    findings.add(Measurement.plain(name + ", median", median, "us"));
    findings.add(Measurement.ratioAtMost(name + ", p99", high, "us", "median", median, target));
  }

  /** Returns a read that was late kept those behind it waiting; they count as late too. */
  private static Histogram histogram(Path latencies) throws BenchmarkException {
    try {
      LongBuffer nanos =
          ByteBuffer.wrap(Files.readAllBytes(latencies))
              .order(ByteOrder.nativeOrder())
              .asLongBuffer();
      Histogram histogram = new Histogram(3);
      while (nanos.hasRemaining()) {
        histogram.recordValueWithExpectedInterval(nanos.get(), 1_000_000_000L / READS_PER_SECOND);
      }
      return histogram;
    } catch (IOException e) {
      throw new BenchmarkException("cannot read " + latencies + ": " + e.getMessage(), e);
    }
  }
}
