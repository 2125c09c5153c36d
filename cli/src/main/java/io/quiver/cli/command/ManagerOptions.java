package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.http.ClientCredentials;
import io.quiver.node.NodeConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name the cache manager; its plans name the servers. */
final class ManagerOptions {
  @Option(
      names = "--manager",
      paramLabel = "<url>",
      description =
          "Cache manager: the status page that quiver up prints. Of several, separated by"
              + " commas, the first that answers is used (default: $QUIVER_SERVER or"
              + " http://127.0.0.1:"
              + NodeConfig.DEFAULT_PORT
              + ").")
  private @Nullable String manager;

  @Option(
      names = "--ca",
      paramLabel = "<file>",
      description = "PEM file with the certificates that https servers are checked against.")
  private @Nullable Path trust;

  private List<URI> addresses(Console console) {
    String variable = console.environment().getOrDefault(ServerOptions.VARIABLE, "");
    String fallback = "http://127.0.0.1:" + NodeConfig.DEFAULT_PORT;
    String text = manager != null ? manager : variable.isBlank() ? fallback : variable;
    return Stream.of(text.strip().split("[, ]+", -1)).map(Addresses::parse).toList();
  }

  /** Returns a client of the managers. */
  ManagerClient client(Console console) throws CommandFailure {
    return new ManagerClient(addresses(console), credentials(console));
  }

  /** Returns a copy of a job's settings with these managers and the user's credentials. */
  LoaderConfig apply(LoaderConfig job, Console console) throws CommandFailure {
    return job.withManagers(addresses(console)).withCredentials(credentials(console));
  }

  private ClientCredentials credentials(Console console) throws CommandFailure {
    return Addresses.credentials(console, Optional.ofNullable(trust));
  }
}
