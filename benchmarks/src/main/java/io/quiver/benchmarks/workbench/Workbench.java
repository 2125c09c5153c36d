package io.quiver.benchmarks.workbench;

import io.quiver.benchmarks.BenchmarkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A temporary folder and the processes started for a run. Closing it, or the end of the JVM, stops
 * the processes, each by its id, and deletes the folder.
 */
public final class Workbench implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Path directory;
  private final Thread hook = new Thread(this::clear, "benchmark-cleanup");
  private final Deque<Process> processes = new ArrayDeque<>();
  private final List<Path> folders = new ArrayList<>();
  private boolean closed;

  private Workbench(Path directory) {
    this.directory = directory;
    folders.add(directory);
  }

  /** Returns a fresh folder below the given one. */
  public static Workbench in(Path parent) throws BenchmarkException {
    try {
      Files.createDirectories(parent);
      Workbench workbench = new Workbench(Files.createTempDirectory(parent, "quiver-bench-"));
      Runtime.getRuntime().addShutdownHook(workbench.hook);
      return workbench;
    } catch (IOException e) {
      throw new BenchmarkException("cannot make a folder for data in " + parent + ": " + e, e);
    }
  }

  /** Returns the temporary folder. */
  public Path directory() {
    return directory;
  }

  /** Returns a new folder inside the temporary one. */
  public Path folder(String name) throws BenchmarkException {
    try {
      return Files.createDirectories(directory.resolve(name));
    } catch (IOException e) {
      throw new BenchmarkException("cannot make the folder " + name + ": " + e, e);
    }
  }

  /**
   * Returns a new folder in a file system that lives in memory, where there is one: for many small
   * files that are read from memory anyway, and whose making and deleting is no part of a
   * measurement.
   */
  public synchronized Path memoryFolder(String name) throws BenchmarkException {
    if (!Files.isWritable(MEMORY)) {
      return folder(name + "-files");
    }
    try {
      Path folder = Files.createTempDirectory(MEMORY, "quiver-bench-" + name + "-");
      folders.add(folder);
      return folder;
    } catch (IOException e) {
      throw new BenchmarkException("cannot make a folder in " + MEMORY + ": " + e, e);
    }
  }

  /** Starts a server; what it says goes to a log, except its standard output if that is wanted. */
  public synchronized Process start(String name, List<String> command, boolean wantOutput)
      throws BenchmarkException {
    if (closed) {
      throw new BenchmarkException("the run is over; " + name + " is not started any more");
    }
    try {
      ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
      ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(log(name).toFile());
      builder.redirectError(log);
      if (!wantOutput) {
        builder.redirectOutput(log);
      }
      Process process = builder.start();
      processes.push(process);
      return process;
    } catch (IOException e) {
      throw new BenchmarkException("cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  /** Runs a program to its end and returns what it printed. */
  public String run(String name, List<String> command, Duration limit)
      throws BenchmarkException, InterruptedException {
    Path output = directory.resolve(name + ".out");
    Process process;
    synchronized (this) {
      if (closed) {
        throw new BenchmarkException("the run is over; " + name + " is not started any more");
      }
      process = startToFile(name, command, output);
      processes.push(process);
    }
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new BenchmarkException(name + " was not done after " + limit.toSeconds() + " s");
      }
      if (process.exitValue() != 0) {
        throw new BenchmarkException(
            name + " ended with " + process.exitValue() + ": " + complaint(name));
      }
      return Files.readString(output);
    } catch (IOException e) {
      throw new BenchmarkException("cannot read what " + name + " printed: " + e, e);
    } finally {
      stop(process);
    }
  }

  private Process startToFile(String name, List<String> command, Path output)
      throws BenchmarkException {
    try {
      return new ProcessBuilder(command)
          .directory(directory.toFile())
          .redirectOutput(output.toFile())
          .redirectError(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
          .start();
    } catch (IOException e) {
      throw new BenchmarkException("cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  /** Returns the end of what a process complained about. */
  public String complaint(String name) {
    try {
      String text = Files.readString(log(name), StandardCharsets.UTF_8).strip();
      return text.substring(Math.max(0, text.length() - 1000));
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }

  private Path log(String name) {
    return directory.resolve(name + ".log");
  }

  /** Ends one process early. */
  public void stop(Process process) {
    synchronized (this) {
      processes.remove(process);
    }
    end(process);
  }

  private static void end(Process process) {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        all.forEach(ProcessHandle::destroyForcibly);
      }
    } catch (InterruptedException e) {
      all.forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    clear();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending and the hook has run or runs now: there is nothing left to take back.
      return;
    }
  }

  private synchronized void clear() {
    closed = true;
    processes.forEach(Process::destroy);
    while (!processes.isEmpty()) {
      end(processes.pop());
    }
    folders.stream().filter(Files::exists).forEach(Workbench::delete);
  }

  /** Deletes a folder with all that is in it, to be rid of pages the system has yet to write. */
  public static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + directory + "; delete it by hand", e);
    }
  }
}
