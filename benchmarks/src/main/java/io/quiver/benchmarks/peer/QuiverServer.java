package io.quiver.benchmarks.peer;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.FirstLine;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Workbench;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The cache server in a JVM of its own, started with the options of the {@code quiver} command.
 *
 * @param folder where its segment files lie
 */
public record QuiverServer(Process process, int port, Path folder) implements PeerServer {
  /** Disk space for headers and half-filled segments. */
  private static final long SLACK_BYTES = 1L << 30;

  /** Starts it over an empty store and fills it. */
  public static QuiverServer start(Workbench workbench, String name, List<BlobSet> sets)
      throws BenchmarkException {
    long bytes = sets.stream().mapToLong(BlobSet::setBytes).sum();
    return start(workbench, workbench.folder(name), 2 * bytes + SLACK_BYTES, sets);
  }

  /** Starts it over a folder that may hold blobs already. */
  public static QuiverServer start(
      Workbench workbench, Path folder, long capacityBytes, List<BlobSet> sets)
      throws BenchmarkException {
    List<String> arguments = new ArrayList<>(List.of(folder.toString()));
    arguments.add(Long.toString(capacityBytes));
    sets.forEach(set -> arguments.add(set.toArgument()));
    Process process = workbench.start("quiver", Jvm.command(QuiverProcess.class, arguments), true);
    try {
      int port = Integer.parseInt(FirstLine.of("quiver", process, Duration.ofSeconds(60)));
      return new QuiverServer(process, port, folder);
    } catch (NumberFormatException e) {
      throw new BenchmarkException("the cache server did not print its port", e);
    } catch (BenchmarkException e) {
      throw new BenchmarkException(e.getMessage() + ": " + workbench.complaint("quiver"), e);
    }
  }

  @Override
  public LoadTarget target(BlobSet set) {
    return new LoadTarget("quiver", port, List.of(process.pid()));
  }
}
