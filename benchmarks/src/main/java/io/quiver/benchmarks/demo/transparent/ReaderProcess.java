package io.quiver.benchmarks.demo.transparent;

import io.quiver.benchmarks.BenchmarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One reader: a program of the system that knows nothing of the cache. */
final class ReaderProcess implements AutoCloseable {
  private static final int LONGEST_ERROR = 2000;

  private final Reader reader;
  private final Process process;
  private final Path errors;
  private final CompletableFuture<Double> ended;

  private ReaderProcess(Reader reader, Process process, Path errors, long zeroNanos) {
    this.reader = reader;
    this.process = process;
    this.errors = errors;
    this.ended = process.onExit().thenApply(_ -> (System.nanoTime() - zeroNanos) / 1e9);
  }

  /**
   * Starts a program.
   *
   * @param folder for what it says
   * @param zeroNanos when all readers began
   */
  static ReaderProcess start(
      Reader reader,
      List<String> command,
      Map<String, String> environment,
      Path folder,
      long zeroNanos)
      throws IOException {
    Path errors = folder.resolve(reader.word() + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile());
    builder.environment().putAll(environment);
    return new ReaderProcess(reader, builder.start(), errors, zeroNanos);
  }

  Reader reader() {
    return reader;
  }

  boolean isDone() {
    return ended.isDone();
  }

  /** Waits for its end and returns how long it took, in seconds. */
  double await(long deadlineNanos) throws BenchmarkException, IOException, InterruptedException {
    try {
      double seconds =
          ended.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (process.exitValue() != 0) {
        throw new BenchmarkException(
            "the reader \"" + reader.title() + "\" failed: " + lastWords());
      }
      return seconds;
    } catch (TimeoutException late) {
      throw new BenchmarkException(
          "the reader \"" + reader.title() + "\" did not end in time; its errors: " + lastWords(),
          late);
    } catch (java.util.concurrent.ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private String lastWords() throws IOException {
    String words = Files.readString(errors).strip();
    return words.substring(Math.max(0, words.length() - LONGEST_ERROR));
  }

  /** Ends it if it still runs, and waits for its end: nobody can unmount under it otherwise. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().orTimeout(10, TimeUnit.SECONDS).exceptionally(_ -> process).join();
  }
}
