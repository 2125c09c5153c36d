package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.http.TlsConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of everything that listens: the address and its certificate. */
final class AddressOptions {
  @Option(
      names = "--host",
      paramLabel = "<address>",
      defaultValue = "127.0.0.1",
      description = "Address to listen on (default: ${DEFAULT-VALUE}, this machine only).")
  private String host;

  @Option(
      names = "--insecure",
      description =
          "Listen on other addresses than this machine's own without the protection that is asked"
              + " for there. Whoever can reach the port may then read or do everything.")
  private boolean insecure;

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

  static void requireReadable(Path file) throws CommandFailure {
    if (!Files.isReadable(file)) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "no readable file " + file);
    }
  }

  /**
   * Refuses to let a whole network reach what is not protected, unless told to.
   *
   * @param lacks what is missing besides TLS
   * @param withoutTls what may happen without TLS
   */
  void requireGuarded(Output output, List<String> lacks, String withoutTls) throws CommandFailure {
    List<String> missing = new ArrayList<>(lacks);
    if (certificate == null) {
      missing.add(withoutTls);
    }
    if (missing.isEmpty() || isLoopback()) {
      return;
    }
    if (!insecure) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "listening on "
              + host
              + " needs more protection: "
              + String.join("; ", missing)
              + "; in a network where that is wanted, add --insecure");
    }
    missing.forEach(lack -> output.warning("listening on " + host + ": " + lack));
  }

  /** Returns true if only this machine can reach the address. */
  boolean isLoopback() throws CommandFailure {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new CommandFailure(
          ExitCode.USAGE, "the address " + host + " is not known on this machine", e);
    }
  }
}
