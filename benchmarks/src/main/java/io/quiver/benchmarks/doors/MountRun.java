package io.quiver.benchmarks.doors;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.workbench.FirstLine;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Workbench;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that mounts made-up files, and the program that reads them. */
final class MountRun implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final Workbench workbench;
  private final Path program;
  private final MadeFiles files;
  private final Path target;
  private final Process process;

  /**
   * The figures of one reading of all files.
   *
   * @param seconds the time it took
   * @param bytes the bytes read
   * @param cpuSeconds the processor seconds of the process that mounts
   */
  record Reading(double seconds, long bytes, double cpuSeconds) {
    double gigabytesPerSecond() {
      return bytes / seconds / 1e9;
    }

    double cpuSecondsPerGigabyte() {
      return cpuSeconds / (bytes / 1e9);
    }
  }

  private MountRun(
      Workbench workbench, Path program, MadeFiles files, Path target, Process process) {
    this.workbench = workbench;
    this.program = program;
    this.files = files;
    this.target = target;
    this.process = process;
  }

  /**
   * Mounts.
   *
   * @param name names the process and its folder
   * @param program reads the files
   * @param more arguments behind folder, number and length of files
   */
  static MountRun start(
      Workbench workbench,
      Path program,
      String name,
      Class<?> main,
      MadeFiles files,
      String... more)
      throws BenchmarkException {
    Path target = workbench.folder(name);
    List<String> arguments = new ArrayList<>();
    arguments.add(target.toString());
    arguments.add(Integer.toString(files.count()));
    arguments.add(Long.toString(files.bytes()));
    arguments.addAll(List.of(more));
    Process process = workbench.start(name, Jvm.command(main, arguments), true);
    MountRun run = new MountRun(workbench, program, files, target, process);
    try {
      FirstLine.of(name, process, START);
    } catch (BenchmarkException failure) {
      run.close();
      throw new BenchmarkException(
          failure.getMessage() + ": " + workbench.complaint(name), failure);
    }
    return run;
  }

  /** Reads every file once, in an order that a seed decides. */
  Reading read(int readers, int blockBytes, long seed)
      throws BenchmarkException, InterruptedException {
    double before = cpuSeconds();
    String[] figures =
        workbench
            .run(
                "mountload",
                List.of(
                    program.toString(),
                    target.toString(),
                    Integer.toString(files.count()),
                    Long.toString(files.bytes()),
                    Integer.toString(readers),
                    Integer.toString(blockBytes),
                    Long.toString(seed)),
                LONGEST)
            .strip()
            .split(" ", 2);
    return new Reading(
        Double.parseDouble(figures[0]), Long.parseLong(figures[1]), cpuSeconds() - before);
  }

  private double cpuSeconds() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  /** Lets the process unmount and end. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
        workbench.stop(process);
      }
    } catch (IOException ended) {
      workbench.stop(process);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
