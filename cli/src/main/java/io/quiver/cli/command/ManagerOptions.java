package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.console.Console;
import io.quiver.node.NodeConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name the cache manager; its plans name the servers. */
final class ManagerOptions {
  @Option(
      names = "--manager",
      paramLabel = "<url>",
      description =
          "The cache manager, which is where quiver up has its status page (default: $QUIVER_SERVER"
              + " or http://127.0.0.1:"
              + NodeConfig.DEFAULT_PORT
              + ").")
  private @Nullable String manager;

  @Option(
      names = "--ca",
      paramLabel = "<file>",
      description = "PEM file with the certificates that https servers are checked against.")
  private @Nullable Path trust;

  /** Returns the manager's address. */
  URI address(Console console) {
    String variable = console.environment().getOrDefault(ServerOptions.VARIABLE, "");
    String first = variable.split("[, ]+", 2)[0];
    String fallback = first.isEmpty() ? "http://127.0.0.1:" + NodeConfig.DEFAULT_PORT : first;
    return Addresses.parse(manager != null ? manager : fallback);
  }

  /** Returns the certificates that https servers are checked against. */
  Optional<Path> trust() {
    return Optional.ofNullable(trust);
  }
}
