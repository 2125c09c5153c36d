package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.http.AccessControl;
import io.quiver.http.AdvertisedAddress;
import io.quiver.http.TlsConfig;
import io.quiver.node.Capacity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a serving process: its address and its data directories. */
final class ListenOptions {
  @Mixin private final AddressOptions address = new AddressOptions();

  @Option(
      names = "--advertise",
      paramLabel = "<host>",
      description =
          "Host, and perhaps port, that clients are told to connect to (default: --host, or an"
              + " address of this machine where that is 0.0.0.0).")
  private @Nullable String advertised;

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

  AddressOptions address() {
    return address;
  }

  String host() {
    return address.host();
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
    AddressOptions.requireReadable(tokens);
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
    return address.certificate();
  }

  Optional<TlsConfig> tls() throws CommandFailure {
    Optional<TlsConfig> own = address.tls();
    if (own.isEmpty() && clientIssuers != null) {
      throw new CommandFailure(ExitCode.USAGE, "--tls-client-ca needs --tls-cert and --tls-key");
    }
    if (own.isEmpty() || clientIssuers == null) {
      return own;
    }
    AddressOptions.requireReadable(clientIssuers);
    return Optional.of(own.get().withTrust(clientIssuers));
  }

  /** Returns how callers are told apart, in words. */
  String accessInWords() {
    return tokens == null
        ? "open: everybody who can reach it may do everything (--token-file)"
        : "by token or certificate, as " + tokens + " says";
  }

  /** Returns the host to tell clients: as chosen, or as the way to a manager shows. */
  Optional<String> advertised(List<URI> managers) throws CommandFailure {
    if (advertised != null) {
      requireHost(advertised);
      return Optional.of(advertised);
    }
    return managers.isEmpty() || !AdvertisedAddress.isWildcard(host())
        ? Optional.empty()
        : AdvertisedAddress.toward(managers.getFirst());
  }

  /** Returns the host to tell clients of a process that has several ports. */
  Optional<String> advertisedHost() throws CommandFailure {
    if (advertised != null && advertised.matches("[^:]*:\\d+|.*]:\\d+")) {
      throw new CommandFailure(
          ExitCode.USAGE, "--advertise " + advertised + " has a port; give the host alone");
    }
    return advertised(List.of());
  }

  private static void requireHost(String text) throws CommandFailure {
    if (!text.matches("[A-Za-z0-9._-]+(:\\d{1,5})?|[0-9A-Fa-f:.]+|\\[[0-9A-Fa-f:.]+](:\\d{1,5})?")
        || AdvertisedAddress.isWildcard(text)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--advertise " + text + " is no host that others can reach; give a name or an address");
    }
  }

  /** Refuses to let a whole network reach what has no lock but its names, unless told to. */
  void requireGuarded(Output output) throws CommandFailure {
    List<String> missing = new ArrayList<>();
    if (tokens == null) {
      missing.add(
          "without tokens everybody who can reach it may insert blobs, drop spaces and change"
              + " plans (--token-file)");
    }
    address.requireGuarded(
        output,
        missing,
        "without TLS names of blobs and tokens can be read on the network (--tls-cert, --tls-key)");
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
