package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.cluster.RunningCluster;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.node.NodeConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name the servers a command works with. */
final class ServerOptions {
  /** Names the servers when no option does. */
  static final String VARIABLE = "QUIVER_SERVER";

  @Option(
      names = {"-s", "--server"},
      paramLabel = "<address>",
      description =
          "Cache server, or the status page of quiver up for all servers of its plan; may be"
              + " repeated (default: $QUIVER_SERVER or http://127.0.0.1:"
              + NodeConfig.DEFAULT_PORT
              + ").")
  private @Nullable List<String> servers;

  @Option(
      names = "--ca",
      paramLabel = "<file>",
      description = "PEM file with the certificates that https servers are checked against.")
  private @Nullable Path trust;

  /** Finds the servers; the caller closes them. */
  RunningCluster cluster(Console console) throws CommandFailure, InterruptedException {
    return RunningCluster.find(
        addresses(console), Addresses.credentials(console, Optional.ofNullable(trust)));
  }

  private List<URI> addresses(Console console) {
    String variable = console.environment().getOrDefault(VARIABLE, "");
    List<String> chosen =
        servers != null
            ? servers
            : variable.isEmpty()
                ? List.of("http://127.0.0.1:" + NodeConfig.DEFAULT_PORT)
                : Arrays.asList(variable.split("[, ]+"));
    return chosen.stream().map(Addresses::parse).toList();
  }
}
