package io.quiver.benchmarks.peer;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.Ports;
import io.quiver.benchmarks.workbench.Programs;
import io.quiver.benchmarks.workbench.Workbench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Memcached with two threads and memory for everything. */
public record MemcachedServer(Process process, int port) implements PeerServer {
  private static final KeyValueFill.Dialect DIALECT =
      new KeyValueFill.Dialect() {
        @Override
        public String command(String key, int length) {
          return "set " + key + " 0 0 " + length + "\r\n";
        }

        @Override
        public String acknowledgement() {
          return "STORED\r\n";
        }
      };

  /** Starts and fills it, if it is installed. */
  public static Optional<PeerServer> start(Workbench workbench, List<BlobSet> sets)
      throws BenchmarkException, InterruptedException {
    Optional<String> program = Programs.find("memcached");
    if (program.isEmpty()) {
      return Optional.empty();
    }
    int port = Ports.free();
    long bytes = sets.stream().mapToLong(BlobSet::setBytes).sum();
    Process process = workbench.start("memcached", command(program.get(), port, bytes), false);
    Ports.await("memcached", process, port, Duration.ofSeconds(10));
    KeyValueFill fill = new KeyValueFill("memcached", DIALECT);
    for (BlobSet set : sets) {
      fill.fill(port, set);
    }
    return Optional.of(new MemcachedServer(process, port));
  }

  private static List<String> command(String program, int port, long bytes) {
    List<String> command = new ArrayList<>(List.of(program, "-l", "127.0.0.1"));
    command.addAll(List.of("-p", Integer.toString(port), "-U", "0", "-t", "2"));
    // Twice the data: slab classes round up and each keeps pages of its own.
    command.addAll(List.of("-m", Long.toString((bytes >> 20) * 2 + 256), "-I", "4m"));
    if (System.getProperty("user.name", "").equals("root")) {
      command.addAll(List.of("-u", "root"));
    }
    return command;
  }

  @Override
  public LoadTarget target(BlobSet set) {
    return new LoadTarget("memcached", port, List.of(process.pid()));
  }
}
