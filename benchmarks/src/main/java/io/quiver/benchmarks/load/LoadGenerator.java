package io.quiver.benchmarks.load;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.Workbench;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Runs the load generator in C against one server. */
public final class LoadGenerator {
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final Workbench workbench;
  private final Path program;

  /** A generator whose program has been compiled. */
  public LoadGenerator(Workbench workbench, Path program) {
    this.workbench = workbench;
    this.program = program;
  }

  /**
   * Asks for batches and waits for the end.
   *
   * @param name of the run, for its log; runs at the same time need different ones
   */
  public LoadResult run(String name, LoadTarget target, BlobSet set, LoadShape shape)
      throws BenchmarkException, InterruptedException {
    Duration limit = GRACE.plusMillis((long) (1000 * (shape.warmSeconds() + shape.seconds())));
    return LoadResult.parse(workbench.run(name, command(target, set, shape), limit));
  }

  private List<String> command(LoadTarget target, BlobSet set, LoadShape shape) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add(target.protocol());
    command.add(Integer.toString(target.port()));
    command.add(set.items().toString());
    command.add(set.names().toString());
    command.add(Integer.toString(set.bytes()));
    command.add(Integer.toString(set.count()));
    command.add(Integer.toString(shape.batch()));
    command.add(Integer.toString(shape.connections()));
    command.add(decimal(shape.warmSeconds()));
    command.add(decimal(shape.seconds()));
    command.add(Long.toUnsignedString(shape.seed()));
    command.add(decimal(shape.bytesPerSecond()));
    command.add(shape.latencies().map(Path::toString).orElse("-"));
    command.add(
        target.processes().isEmpty()
            ? "-"
            : target.processes().stream().map(String::valueOf).collect(Collectors.joining(",")));
    return command;
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  /**
   * The shape of the load.
   *
   * @param batch blobs in one question
   * @param connections the number of concurrent connections, each with one question in flight
   * @param warmSeconds the time before counting begins
   * @param seconds how long it counts; 0 to read every blob once, counting from the start
   * @param seed decides the order of the blobs
   * @param bytesPerSecond what to hold; 0 for as fast as it goes
   * @param latencies file for the nanoseconds of every answer
   */
  public record LoadShape(
      int batch,
      int connections,
      double warmSeconds,
      double seconds,
      long seed,
      double bytesPerSecond,
      Optional<Path> latencies) {

    /** Returns every blob once, as fast as it goes, four questions in flight. */
    public static LoadShape once(int batch, long seed) {
      return new LoadShape(batch, 4, 0, 0, seed, 0, Optional.empty());
    }

    /** Returns a load at full speed with two requests in flight. */
    public static LoadShape full(int batch, double warmSeconds, double seconds, long seed) {
      return new LoadShape(batch, 2, warmSeconds, seconds, seed, 0, Optional.empty());
    }
  }
}
