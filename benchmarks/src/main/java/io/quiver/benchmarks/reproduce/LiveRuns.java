package io.quiver.benchmarks.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.benchmarks.BenchmarkException;
import io.quiver.node.Capacity;
import io.quiver.node.EmbeddedCluster.DiskOverhead;
import io.quiver.node.Node;
import io.quiver.node.NodeConfig;
import io.quiver.node.NodeException;
import io.quiver.store.ssd.RecoveryProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** Runs a scaled workload with real processes, real bytes and a store that is slow on purpose. */
final class LiveRuns {
  private static final String HOST = "127.0.0.1";

  private final ScaledWorkload workload;
  private final Path digest;
  private final Path work;
  private final String program;

  LiveRuns(ScaledWorkload workload, Path digest, Path work, String program) {
    this.workload = workload;
    this.digest = digest;
    this.work = work;
    this.program = program;
  }

  /** Returns the average seconds of each epoch when all is read from the store. */
  List<Double> misses()
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    return jobs("--no-cache");
  }

  /**
   * Returns the average seconds of each epoch through a cache.
   *
   * @param warm whether the data set is brought in before
   */
  List<Double> cached(long cacheBytes, boolean warm)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    NodeConfig config =
        new NodeConfig(
                HOST,
                0,
                1,
                List.of(Files.createTempDirectory(work, "cache-")),
                new Capacity.Absolute(DiskOverhead.bytes(cacheBytes)),
                Optional.empty())
            .withPlanBytes(cacheBytes);
    try (Node node = Node.start(config, InstantSource.system(), RecoveryProgress.NONE)) {
      String manager = node.uri().toString();
      if (warm) {
        run(List.of(List.of("warm", digest.toString(), "--manager", manager, "--json")));
      }
      return jobs("--manager", manager);
    }
  }

  private List<Double> jobs(String... how)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    List<List<String>> commands = new ArrayList<>();
    for (int job = 0; job < ScaledWorkload.JOBS; job++) {
      List<String> command = new ArrayList<>(List.of("job", "--json", "--name", "job-" + job));
      command.addAll(List.of("--digest", digest.toString(), "--seed", "" + job));
      command.addAll(List.of("--batch", "" + ScaledWorkload.BATCH));
      command.addAll(List.of("--epochs", "" + ScaledWorkload.EPOCHS));
      command.addAll(List.of("--compute-ms", number(workload.computeMillis())));
      command.addAll(List.of("--store-mbps", number(workload.storeMegabytes())));
      command.addAll(List.of("--store-latency-ms", number(ScaledWorkload.STORE_LATENCY_MILLIS)));
      command.addAll(List.of(how));
      commands.add(command);
    }
    List<JsonNode> documents = run(commands);
    return IntStream.range(0, ScaledWorkload.EPOCHS)
        .mapToObj(epoch -> seconds(documents, epoch))
        .toList();
  }

  private static double seconds(List<JsonNode> jobs, int epoch) {
    return jobs.stream()
        .mapToDouble(job -> job.path("epochs").path(epoch).path("seconds").asDouble())
        .average()
        .orElse(0);
  }

  private List<JsonNode> run(List<List<String>> commands)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    try (JobProcesses processes =
        new JobProcesses(program, Files.createTempDirectory(work, "jobs-"))) {
      for (List<String> command : commands) {
        processes.start(command);
      }
      return processes.documents();
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }
}
