package io.quiver.cli.command;

import io.quiver.benchmarks.serve.Peer;
import io.quiver.benchmarks.serve.ServeBenchmark;
import io.quiver.benchmarks.serve.ServeBenchmarkOptions;
import io.quiver.benchmarks.serve.ServeJson;
import io.quiver.benchmarks.serve.ServeResult;
import io.quiver.benchmarks.serve.ServeTable;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures warm batch reads beside other servers. */
@Command(
    name = "serve",
    description = {
      "Measure batch reads of blobs that are in memory.",
      "Runs the cache beside memcached, Redis, nginx and iperf3 where they are"
          + " installed, and beside a small server in C, all in one interleaved run."
    },
    footer = {
      "  quiver bench serve",
      "  quiver bench serve --quick --peers reference,memcached",
      "  quiver bench serve --quick --json | jq '.[].quiver_gbps'",
      "",
      "With --json: [{\"bytes\": n, \"batch\": n, \"quiver_gbps\": n, \"memcached_gbps\": n,"
          + " \"redis_gbps\": n,",
      "\"nginx_gbps\": n, \"reference_gbps\": n, \"server_cpu_s_per_gb\": n, \"client_cpu_s_per_gb\":"
          + " n, …}…];",
      "GB are 10^9 bytes; a peer that is not installed is null."
    })
public final class BenchServeCommand extends Action {
  @Option(
      names = "--quick",
      description = "Measure less data in fewer rounds, in less than 50 seconds.")
  private boolean quick;

  @Option(
      names = "--peers",
      paramLabel = "<names>",
      split = ",",
      description = "Measure only these: ${COMPLETION-CANDIDATES}.",
      completionCandidates = PeerNames.class)
  private @Nullable List<String> peers;

  @Option(
      names = "--limit",
      paramLabel = "<time>",
      description = "Longest time of the whole run (default: 2m, with --quick 45s).")
  private @Nullable Duration limit;

  @Option(
      names = "--dir",
      paramLabel = "<folder>",
      description = "Folder for the data of the run (default: the folder for temporary files).")
  private @Nullable Path directory;

  @Override
  ExitCode run(Output output) throws Exception {
    List<ServeResult> results;
    try (BenchProgress progress = BenchProgress.on(output)) {
      results = ServeBenchmark.run(options(), progress);
    }
    if (output.json()) {
      output.line(ServeJson.write(results));
    } else {
      output.line(ServeTable.render(results).strip());
    }
    return ExitCode.OK;
  }

  private ServeBenchmarkOptions options() {
    ServeBenchmarkOptions options =
        quick ? ServeBenchmarkOptions.quick() : ServeBenchmarkOptions.standard();
    if (peers != null) {
      Set<Peer> chosen = EnumSet.of(Peer.QUIVER);
      peers.forEach(name -> chosen.add(Peer.of(name)));
      options = options.withPeers(chosen);
    }
    options = limit == null ? options : options.withLimit(limit);
    return directory == null ? options : options.withDirectory(directory);
  }

  /** Lists the peers that can be measured, for help and completion. */
  static final class PeerNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Peer.values()).map(Peer::label).iterator();
    }
  }
}
