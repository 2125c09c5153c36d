package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads what the kernel has counted for a Java process. */
final class ProcessAccount {
  private static final String READ_BYTES = "read_bytes:";

  private final Path folder;

  ProcessAccount(long process) {
    folder = Path.of("/proc", Long.toString(process));
  }

  /** Returns the bytes that the process has had disks read. */
  long bytesFromDisk() throws BenchmarkException {
    Path account = folder.resolve("io");
    try {
      for (String line : Files.readAllLines(account)) {
        if (line.startsWith(READ_BYTES)) {
          return Long.parseLong(line.substring(READ_BYTES.length()).strip());
        }
      }
      throw new BenchmarkException(account + " does not say what was read from disk");
    } catch (IOException e) {
      throw unreadable(account, e);
    }
  }

  /** Returns the processor seconds of the Java compiler's threads. */
  double compilerSeconds() throws BenchmarkException {
    Path tasks = folder.resolve("task");
    long nanos = 0;
    try (Stream<Path> threads = Files.list(tasks)) {
      for (Path thread : threads.toList()) {
        nanos += compilerNanos(thread);
      }
    } catch (IOException e) {
      throw unreadable(tasks, e);
    }
    return nanos / 1e9;
  }

  private static long compilerNanos(Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm"));
      boolean compiles = List.of("C1 Compiler", "C2 Compiler").stream().anyMatch(name::startsWith);
      return compiles
          ? Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", 2)[0])
          : 0;
    } catch (IOException e) {
      return 0; // the thread has ended meanwhile
    }
  }

  private static BenchmarkException unreadable(Path file, IOException e) {
    return new BenchmarkException("cannot read " + file + ": " + e.getMessage(), e);
  }
}
