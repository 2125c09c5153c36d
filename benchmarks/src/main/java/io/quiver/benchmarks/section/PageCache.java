package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.workbench.Workbench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Empties the page cache: all of it where we may, else file by file. Pages that a process has
 * mapped and touched stay, so cold data must not have been read through a mapping before.
 */
final class PageCache {
  private static final Path SWITCH = Path.of("/proc/sys/vm/drop_caches");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private PageCache() {}

  static void drop(Workbench workbench, Path folder)
      throws BenchmarkException, InterruptedException {
    workbench.run("sync", List.of("sync", "-f", folder.toString()), LIMIT);
    if (Files.isWritable(SWITCH)) {
      try {
        Files.writeString(SWITCH, "1");
        return;
      } catch (IOException e) {
        // Not allowed after all (a container, perhaps): file by file then.
      }
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        List<String> command = List.of("dd", "if=" + file, "iflag=nocache", "count=0");
        workbench.run("dd", command, LIMIT);
      }
    } catch (IOException e) {
      throw new BenchmarkException("cannot list " + folder + ": " + e.getMessage(), e);
    }
  }
}
