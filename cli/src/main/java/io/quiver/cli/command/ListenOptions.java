package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.http.AccessControl;
import io.quiver.http.TlsConfig;
import io.quiver.node.Capacity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
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
          "Folder for blobs; give one for each disk (default: $XDG_CACHE_HOME/quiver or"
              + " ~/.quiver).")
  private @Nullable List<Path> data;

  @Option(
      names = "--capacity",
      paramLabel = "<size>",
      description =
          "Capacity on all disks together, such as 200GB, or 20%% of the bytes that are free"
              + " or cached there (default: 80%%, at most 1 TB).")
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

  @Option(
      names = "--tls-client-ca",
      paramLabel = "<file>",
      description =
          "PEM file with the issuers of client certificates: clients are asked for one, and"
              + " --token-file gives it a role.")
  private @Nullable Path clientIssuers;

  @Option(
      names = "--token-file",
      paramLabel = "<file>",
      description =
          "File of the callers and their roles: lines of TOKEN ROLE NAME, sha256:HEX ROLE"
              + " NAME or cert ROLE NAME. Roles are job, server, door, viewer and operator"
              + " (default: everybody may do everything).")
  private @Nullable Path tokens;

  String host() {
    return host;
  }

  /** Returns who may call; everybody without a file of tokens. */
  AccessControl access() throws CommandFailure {
    if (tokens == null) {
      if (clientIssuers != null) {
        throw new CommandFailure(
            ExitCode.USAGE, "--tls-client-ca needs --token-file, which gives certificates roles");
      }
      return AccessControl.OPEN;
    }
    requireReadable(tokens);
    try {
      return AccessControl.of(tokens);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
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
      if (clientIssuers != null) {
        throw new CommandFailure(ExitCode.USAGE, "--tls-client-ca needs --tls-cert and --tls-key");
      }
      return Optional.empty();
    }
    if (certificate == null || key == null) {
      throw new CommandFailure(
          ExitCode.USAGE, "--tls-cert and --tls-key belong together; give both or none");
    }
    requireReadable(certificate);
    requireReadable(key);
    TlsConfig own = TlsConfig.server(certificate, key);
    if (clientIssuers == null) {
      return Optional.of(own);
    }
    requireReadable(clientIssuers);
    return Optional.of(own.withTrust(clientIssuers));
  }

  private static void requireReadable(Path file) throws CommandFailure {
    if (!Files.isReadable(file)) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "no readable file " + file);
    }
  }

  /** Returns how callers are told apart, in words. */
  String accessInWords() {
    return tokens == null
        ? "open: everybody who can reach it may do everything (--token-file)"
        : "by token or certificate, as " + tokens + " says";
  }

  /** Warns if the whole network can reach what has no lock but its names. */
  void warnIfOpen(Output output) {
    try {
      if (InetAddress.getByName(host).isLoopbackAddress()) {
        return;
      }
      if (tokens == null) {
        output.warning(
            "listening on "
                + host
                + " without tokens: everybody who can reach it may insert blobs, drop spaces and"
                + " change plans (--token-file)");
      }
      if (certificate == null) {
        output.warning(
            "listening on "
                + host
                + " without TLS: names of blobs and tokens can be read on the network"
                + " (--tls-cert, --tls-key)");
      }
    } catch (UnknownHostException e) {
      output.warning("the address " + host + " is not known on this machine");
    }
  }

  /** Lines to copy into a shell: put a blob with curl and get it back. */
  static final class CurlExample {
    private CurlExample() {}

    static List<String> lines(URI server, ListenOptions listen) {
      String curl = listen.certificate().map(file -> "curl --cacert '" + file + "'").orElse("curl");
      return List.of(
          "Try it:",
          "  echo 'hello, quiver' > hello.txt",
          "  name=$(sha256sum < hello.txt | cut -c1-64)",
          "  " + curl + " -T hello.txt " + server + "/v1/blobs/$name",
          "  " + curl + " " + server + "/v1/blobs/$name");
    }
  }
}
