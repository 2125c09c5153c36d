package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.section.Measurement.Median;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Programs;
import io.quiver.benchmarks.workbench.Workbench;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Digest creation over warm local files beside {@code xargs sha256sum} with one process for each
 * processor. Rounds of both alternate; the start of the JVM is not counted, as the fraction of a
 * second it takes says nothing about data sets of real size.
 */
final class DigestSpeedSection {
  private static final double TARGET = 0.8;
  private static final int ROUNDS = 3;
  private static final int FILE_BYTES = 150_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Workbench workbench;
  private final SectionOptions options;
  private final BenchmarkListener listener;

  DigestSpeedSection(Workbench workbench, SectionOptions options, BenchmarkListener listener) {
    this.workbench = workbench;
    this.options = options;
    this.listener = listener;
  }

  List<Measurement> run() throws BenchmarkException, InterruptedException {
    int count = options.quick() ? 4_000 : 10_000;
    BlobSet set = BlobSet.create(workbench, FILE_BYTES, count, options.seed());
    Path files = workbench.memoryFolder("digest");
    Path list = workbench.directory().resolve("files");
    writeFiles(set, files, list);
    List<Double> ours = new ArrayList<>();
    List<Double> sha256sum = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      listener.step((double) round / ROUNDS, "round " + (round + 1));
      sha256sum.add(set.setBytes() / 1e9 / runSha256sum(list));
      ours.add(set.setBytes() / 1e9 / runDigest(files));
    }
    return List.of(
        Measurement.ratioAtLeast(
            "digest create, files of 150 KB",
            Median.of(ours),
            "GB/s",
            "xargs sha256sum",
            Median.of(sha256sum),
            TARGET));
  }

  private static void writeFiles(BlobSet set, Path files, Path list) throws BenchmarkException {
    ByteBuffer content = set.content();
    List<String> names = new ArrayList<>();
    try {
      for (int i = 0; i < set.count(); i++) {
        Path file = files.resolve("sample-" + i + ".bin");
        names.add(file.toString());
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          ByteBuffer blob = set.blob(content, i);
          while (blob.hasRemaining()) {
            channel.write(blob);
          }
        }
      }
      Files.write(list, names);
    } catch (IOException e) {
      throw new BenchmarkException("cannot write files to digest: " + e.getMessage(), e);
    }
  }

  private double runSha256sum(Path list) throws BenchmarkException, InterruptedException {
    String xargs =
        Programs.find("xargs")
            .orElseThrow(() -> new BenchmarkException("xargs is not installed (findutils)"));
    String processes = Integer.toString(Runtime.getRuntime().availableProcessors());
    List<String> command =
        List.of(xargs, "-a", list.toString(), "-P", processes, "-n", "250", "sha256sum");
    long start = System.nanoTime();
    workbench.run("sha256sum", command, LIMIT);
    return (System.nanoTime() - start) / 1e9;
  }

  private double runDigest(Path files) throws BenchmarkException, InterruptedException {
    List<String> arguments =
        List.of(files.toString(), workbench.directory().resolve("benchmark.qdg").toString());
    String output = workbench.run("digest", Jvm.command(DigestProcess.class, arguments), LIMIT);
    try {
      return Double.parseDouble(output.strip());
    } catch (NumberFormatException e) {
      throw new BenchmarkException("the digest process printed \"" + output.strip() + "\"", e);
    }
  }
}
