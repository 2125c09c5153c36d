package io.quiver.benchmarks.section;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.workbench.Programs;
import io.quiver.benchmarks.workbench.Workbench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures the disk without Quiver, by fio past the page cache. */
final class Fio {
  private static final int SECTOR = 4096;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Workbench workbench;
  private final String program;

  private Fio(Workbench workbench, String program) {
    this.workbench = workbench;
    this.program = program;
  }

  static Fio in(Workbench workbench) throws BenchmarkException {
    return new Fio(
        workbench,
        Programs.find("fio")
            .orElseThrow(() ->
                new BenchmarkException(
                    "fio is not installed; it measures what the disk can do (install fio)")));
  }

  /** Returns gigabytes per second of reading every block of a file once, at random. */
  double randomReads(Path file, int bytes, int inFlight)
      throws BenchmarkException, InterruptedException {
    int block = (bytes + SECTOR - 1) / SECTOR * SECTOR;
    List<String> options = new ArrayList<>();
    options.add("--filename=" + file);
    options.add("--rw=randread");
    options.add("--readonly");
    options.add("--bs=" + block);
    options.add("--iodepth=" + inFlight);
    return run(options, "read");
  }

  /** Gigabytes per second of one sequential write of this many bytes past the page cache. */
  double sequentialWrite(long bytes) throws BenchmarkException, InterruptedException {
    return write(bytes, List.of("--iodepth=8"));
  }

  /** Measures writing into the page cache, without waiting for the disk. */
  double bufferedWrite(long bytes) throws BenchmarkException, InterruptedException {
    return write(bytes, List.of("--direct=0", "--ioengine=psync"));
  }

  private double write(long bytes, List<String> way)
      throws BenchmarkException, InterruptedException {
    Path file = workbench.directory().resolve("fio-write");
    List<String> options = new ArrayList<>(way);
    options.add("--filename=" + file);
    options.add("--rw=write");
    options.add("--bs=1M");
    options.add("--size=" + bytes);
    try {
      return run(options, "write");
    } finally {
      delete(file);
    }
  }

  /** Deletes the file, because the next run begins with an empty one, as inserts do. */
  private static void delete(Path file) throws BenchmarkException {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new BenchmarkException("cannot delete " + file + ": " + e.getMessage(), e);
    }
  }

  private double run(List<String> options, String direction)
      throws BenchmarkException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program, "--name=quiver", "--direct=1"));
    command.add("--ioengine=libaio");
    command.add("--output-format=json");
    command.addAll(options);
    String output = workbench.run("fio", command, LIMIT);
    try {
      // Warnings may come before the document.
      String document = output.substring(Math.max(0, output.indexOf('{')));
      JsonNode job = new ObjectMapper().readTree(document).path("jobs").path(0);
      return job.path(direction).path("bw_bytes").asDouble() / 1e9;
    } catch (JsonProcessingException e) {
      throw new BenchmarkException("fio did not answer in JSON: " + e.getMessage(), e);
    }
  }
}
