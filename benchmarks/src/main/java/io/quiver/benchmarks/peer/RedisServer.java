package io.quiver.benchmarks.peer;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.Ports;
import io.quiver.benchmarks.workbench.Programs;
import io.quiver.benchmarks.workbench.Workbench;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Redis without persistence. */
public record RedisServer(Process process, int port, String protocol) implements PeerServer {
  private static final KeyValueFill.Dialect DIALECT =
      new KeyValueFill.Dialect() {
        @Override
        public String command(String key, int length) {
          return "*3\r\n$3\r\nSET\r\n$" + key.length() + "\r\n" + key + "\r\n$" + length + "\r\n";
        }

        @Override
        public String acknowledgement() {
          return "+OK\r\n";
        }
      };

  /** Starts and fills it, if it is installed; it is asked with MGET. */
  public static Optional<RedisServer> start(Workbench workbench, List<BlobSet> sets)
      throws BenchmarkException, InterruptedException {
    Optional<String> program = Programs.find("redis-server");
    if (program.isEmpty()) {
      return Optional.empty();
    }
    int port = Ports.free();
    List<String> command =
        List.of(
            program.get(),
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--save",
            "",
            "--appendonly",
            "no",
            "--daemonize",
            "no",
            "--client-output-buffer-limit",
            "normal 0 0 0");
    Process process = workbench.start("redis", command, false);
    Ports.await("redis", process, port, Duration.ofSeconds(10));
    KeyValueFill fill = new KeyValueFill("redis", DIALECT);
    for (BlobSet set : sets) {
      fill.fill(port, set);
    }
    return Optional.of(new RedisServer(process, port, "redis-mget"));
  }

  /** Returns this server, asked with one pipelined GET for each blob. */
  public RedisServer pipelined() {
    return new RedisServer(process, port, "redis-pipelined");
  }

  @Override
  public LoadTarget target(BlobSet set) {
    return new LoadTarget(protocol, port, List.of(process.pid()));
  }
}
