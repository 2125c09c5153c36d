package io.quiver.benchmarks.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadResult;
import io.quiver.benchmarks.workbench.Ports;
import io.quiver.benchmarks.workbench.Programs;
import io.quiver.benchmarks.workbench.Workbench;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A plain stream of bytes over two connections: what TCP does without blobs. Here the "server" is
 * the sending side, as in all other measurements.
 */
public record Iperf3Server(Workbench workbench, String program, int port) {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  // As fast as it was ever seen here; only decides how long a slice takes.
  private static final double ASSUMED_BYTES_PER_SECOND = 3e9;

  /** Starts it, if it is installed. */
  public static Optional<Iperf3Server> start(Workbench workbench)
      throws BenchmarkException, InterruptedException {
    Optional<String> program = Programs.find("iperf3");
    if (program.isEmpty()) {
      return Optional.empty();
    }
    int port = Ports.free();
    List<String> command =
        List.of(program.get(), "-s", "-B", "127.0.0.1", "-p", Integer.toString(port));
    Process process = workbench.start("iperf3", command, false);
    Ports.await("iperf3", process, port, Duration.ofSeconds(10));
    return Optional.of(new Iperf3Server(workbench, program.get(), port));
  }

  /** Streams for about this long. */
  public LoadResult run(double seconds) throws BenchmarkException, InterruptedException {
    long bytes = (long) (seconds * ASSUMED_BYTES_PER_SECOND);
    List<String> command =
        List.of(
            program,
            "-c",
            "127.0.0.1",
            "-p",
            Integer.toString(port),
            "-P",
            "2",
            "-J",
            "-n",
            Long.toString(bytes));
    String output = workbench.run("iperf3-client", command, LIMIT);
    try {
      JsonNode end = new ObjectMapper().readTree(output).path("end");
      JsonNode received = end.path("sum_received");
      JsonNode cpu = end.path("cpu_utilization_percent");
      double took = received.path("seconds").asDouble();
      return new LoadResult(
          received.path("bytes").asLong(),
          took,
          0,
          cpu.path("remote_total").asDouble() / 100 * took,
          cpu.path("host_total").asDouble() / 100 * took);
    } catch (JsonProcessingException e) {
      throw new BenchmarkException("iperf3 did not answer in JSON: " + e.getMessage(), e);
    }
  }
}
