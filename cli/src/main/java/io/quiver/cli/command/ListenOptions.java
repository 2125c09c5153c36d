package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.http.TlsConfig;
import io.quiver.node.Capacity;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a serving process: its address and its data directories. */
final class ListenOptions {
  @Option(
      names = "--host",
      paramLabel = "<address>",
      defaultValue = "127.0.0.1",
      description = "Address to listen on (default: ${DEFAULT-VALUE}, this machine only).")
  private String host;

  @Option(
      names = "--data",
      paramLabel = "<folder>",
      description =
          "Where blobs are kept; give it once for each disk"
              + " (default: $XDG_CACHE_HOME/quiver or ~/.quiver).")
  private @Nullable List<Path> data;

  @Option(
      names = "--capacity",
      paramLabel = "<size>",
      description =
          "What the cache may hold on all its disks, such as 200GB or 20%% of what is free or"
              + " already cached there (default: 80%%, at most 1 TB).")
  private @Nullable Capacity capacity;

  @Option(
      names = "--tls-cert",
      paramLabel = "<file>",
      description = "PEM file with the server's certificate and its issuers: serve HTTPS.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "<file>",
      description = "PEM file with the certificate's private key (PKCS#8, not encrypted).")
  private @Nullable Path key;

  String host() {
    return host;
  }

  Capacity capacity() {
    return capacity == null ? Capacity.DEFAULT : capacity;
  }

  /** The data directories, or the user's own cache folder. */
  List<Path> data(Console console) {
    if (data != null) {
      return data.stream().map(path -> path.toAbsolutePath().normalize()).toList();
    }
    String caches = console.environment().getOrDefault("XDG_CACHE_HOME", "");
    return List.of(
        caches.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".quiver")
            : Path.of(caches, "quiver"));
  }

  /** The certificate, if HTTPS is served. */
  Optional<Path> certificate() {
    return Optional.ofNullable(certificate);
  }

  Optional<TlsConfig> tls() throws CommandFailure {
    if (certificate == null && key == null) {
      return Optional.empty();
    }
    if (certificate == null || key == null) {
      throw new CommandFailure(
          ExitCode.USAGE, "--tls-cert and --tls-key belong together; give both or none");
    }
    requireReadable(certificate);
    requireReadable(key);
    return Optional.of(TlsConfig.server(certificate, key));
  }

  private static void requireReadable(Path file) throws CommandFailure {
    if (!Files.isReadable(file)) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "no readable file " + file);
    }
  }

  /** Says so when the whole network can reach what has no lock but its names. */
  void warnIfOpen(Output output) {
    try {
      if (!InetAddress.getByName(host).isLoopbackAddress() && certificate == null) {
        output.warning(
            "listening on "
                + host
                + " without TLS: who can reach it can insert blobs and watch names go by"
                + " (--tls-cert, --tls-key)");
      }
    } catch (UnknownHostException e) {
      output.warning("the address " + host + " is not known on this machine");
    }
  }
}
