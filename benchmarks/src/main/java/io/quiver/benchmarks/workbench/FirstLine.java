package io.quiver.benchmarks.workbench;

import io.quiver.benchmarks.BenchmarkException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads lines a process prints, with a bound on the wait. */
public final class FirstLine {
  private FirstLine() {}

  /** Returns the next line of a process's output. */
  public static String of(String name, Process process, Duration limit) throws BenchmarkException {
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    CompletableFuture<String> line = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> read(name, reader, line));
    try {
      return line.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new BenchmarkException(name + " said nothing within " + limit.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new BenchmarkException(name + " ended before it was ready: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchmarkException("interrupted while waiting for " + name, e);
    }
  }

  private static void read(String name, BufferedReader reader, CompletableFuture<String> line) {
    try {
      String text = reader.readLine();
      if (text == null) {
        line.completeExceptionally(new IOException("the output of " + name + " ended"));
      } else {
        line.complete(text);
      }
    } catch (IOException e) {
      line.completeExceptionally(e);
    }
  }
}
