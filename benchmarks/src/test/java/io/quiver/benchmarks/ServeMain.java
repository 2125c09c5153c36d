package io.quiver.benchmarks;

import io.quiver.benchmarks.serve.Peer;
import io.quiver.benchmarks.serve.ServeBenchmark;
import io.quiver.benchmarks.serve.ServeBenchmarkOptions;
import io.quiver.benchmarks.serve.ServeJson;
import io.quiver.benchmarks.serve.ServeResult;
import io.quiver.benchmarks.serve.ServeTable;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/** Runs the serving benchmark from a checkout without the command line: peers, then seconds. */
final class ServeMain {
  private ServeMain() {}

  public static void main(String[] arguments) throws Exception {
    ServeBenchmarkOptions options = ServeBenchmarkOptions.quick();
    EnumSet<Peer> peers = EnumSet.noneOf(Peer.class);
    for (String argument : arguments) {
      if (argument.chars().allMatch(Character::isDigit)) {
        options = options.withLimit(Duration.ofSeconds(Long.parseLong(argument)));
      } else {
        peers.add(Peer.of(argument));
      }
    }
    options = peers.isEmpty() ? options : options.withPeers(peers);
    long start = System.nanoTime();
    List<ServeResult> results =
        ServeBenchmark.run(
            options,
            (done, step) ->
                System.err.printf(
                    "%5.1f s %3.0f %% %s%n", (System.nanoTime() - start) / 1e9, done * 100, step));
    System.out.println(ServeTable.render(results));
    System.out.println(ServeJson.write(results));
  }
}
