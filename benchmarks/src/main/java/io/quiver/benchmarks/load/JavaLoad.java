package io.quiver.benchmarks.load;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadGenerator.LoadShape;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.FirstLine;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Workbench;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The Java client in a process of its own that stays up between slices, so that it is warm. */
public final class JavaLoad {
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final Workbench workbench;
  private final Process process;
  private final Writer commands;
  private final List<BlobSet> sets;

  private JavaLoad(Workbench workbench, Process process, List<BlobSet> sets) {
    this.workbench = workbench;
    this.process = process;
    this.sets = sets;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts the process. */
  public static JavaLoad start(Workbench workbench, LoadTarget server, List<BlobSet> sets)
      throws BenchmarkException {
    List<String> arguments = new ArrayList<>();
    arguments.add(Integer.toString(server.port()));
    arguments.add(Long.toString(server.processes().getFirst()));
    sets.forEach(set -> arguments.add(set.toArgument()));
    List<String> command = Jvm.command(JavaLoadProcess.class, arguments);
    return new JavaLoad(workbench, workbench.start("java-client", command, true), sets);
  }

  /** Asks for batches and waits for the end. */
  public LoadResult run(BlobSet set, LoadShape shape) throws BenchmarkException {
    try {
      commands.write(
          String.format(
              Locale.ROOT,
              "%d %d %.3f %.3f %d%n",
              sets.indexOf(set),
              shape.batch(),
              shape.warmSeconds(),
              shape.seconds(),
              shape.seed()));
      commands.flush();
      Duration limit = GRACE.plusMillis((long) (1000 * (shape.warmSeconds() + shape.seconds())));
      return LoadResult.parse(FirstLine.of("java-client", process, limit));
    } catch (IOException | BenchmarkException e) {
      throw new BenchmarkException(e.getMessage() + ": " + workbench.complaint("java-client"), e);
    }
  }
}
