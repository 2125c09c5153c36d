package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.client.JobNames;
import io.quiver.client.link.DoorLink;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestMetadata;
import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.cache.KnownItems;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.door.cache.PlannedDoorCache;
import io.quiver.http.ClientCredentials;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.open.RemoteStores;
import io.quiver.report.ByteSize;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a door: the cache behind it, its memory, and a digest whose blobs it shares. */
final class DoorOptions {
  private static final long LEAST_MEMORY = 16L << 20;

  @Option(
      names = "--cache",
      paramLabel = "<url>",
      description =
          "Cache manager: the status page that quiver up prints; several are separated by commas"
              + " (default: $QUIVER_SERVER, or else no cache but the memory of this process).")
  private @Nullable String managers;

  @Option(
      names = "--ca",
      paramLabel = "<file>",
      description = "PEM file with the certificates that https servers are checked against.")
  private @Nullable Path trust;

  @Option(
      names = "--digest",
      paramLabel = "<file>",
      description = "Digest of the data: what its loaders brought into the cache is shared.")
  private @Nullable Path digestFile;

  @Option(
      names = "--memory",
      paramLabel = "<size>",
      defaultValue = "1GiB",
      description =
          "Memory of this process for bytes that were read or are read ahead (default:"
              + " ${DEFAULT-VALUE}).")
  private ByteSize memory;

  @Option(
      names = "--namespace-file",
      paramLabel = "<file>",
      description =
          "File with a secret; doors with the same one share what they read (default: the token"
              + " of this user).")
  private @Nullable Path namespaceFile;

  @Mixin private final StreamsOption streams = new StreamsOption();

  /** A door, and what stays open with it. */
  record OpenDoor(Door door, Optional<DigestFile> digest) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      door.close();
      if (digest.isPresent()) {
        digest.get().close();
      }
    }
  }

  /**
   * Opens a door to a store. The caller closes it.
   *
   * @param kind the first word of the door's name
   * @param freshness how old details and listings may be
   */
  OpenDoor open(String kind, String address, Duration freshness, RemoteConfig remote, Output output)
      throws CommandFailure, IOException {
    Opener opener = opener(kind, freshness, 1, output);
    try {
      RemoteStore store = RemoteStores.open(address, remote);
      try {
        return new OpenDoor(opener.open(store), opener.digest);
      } catch (IOException | RuntimeException failure) {
        store.close();
        throw failure;
      }
    } catch (IOException | RuntimeException failure) {
      opener.close();
      throw failure;
    }
  }

  /**
   * Returns what opens doors by these options. The caller closes it after the doors.
   *
   * @param kind the first word of the doors' names
   * @param freshness how old details and listings may be
   * @param doors how many doors share the memory
   */
  Opener opener(String kind, Duration freshness, int doors, Output output)
      throws CommandFailure, IOException {
    long each = memory.bytes() / doors;
    if (each < LEAST_MEMORY) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--memory "
              + ByteSize.show(memory.bytes())
              + " is too little; use "
              + ByteSize.show(LEAST_MEMORY * doors)
              + " or more");
    }
    Console console = output.console();
    ClientCredentials credentials = Addresses.credentials(console, Optional.ofNullable(trust));
    byte[] namespace = namespace(credentials);
    Optional<DigestFile> digest =
        digestFile == null ? Optional.empty() : Optional.of(DigestFile.open(digestFile));
    return new Opener(kind, freshness, each, credentials, namespace, digest, console);
  }

  /** Opens doors that share a digest. */
  final class Opener implements AutoCloseable {
    private final String kind;
    private final Duration freshness;
    private final long memoryBytes;
    private final ClientCredentials credentials;
    private final byte[] namespace;
    private final Optional<DigestFile> digest;
    private final Console console;

    private Opener(
        String kind,
        Duration freshness,
        long memoryBytes,
        ClientCredentials credentials,
        byte[] namespace,
        Optional<DigestFile> digest,
        Console console) {
      this.kind = kind;
      this.freshness = freshness;
      this.memoryBytes = memoryBytes;
      this.credentials = credentials;
      this.namespace = namespace;
      this.digest = digest;
      this.console = console;
    }

    /** Returns a door that closes the store with itself. */
    Door open(RemoteStore store) throws IOException {
      DoorConfig config = DoorConfig.of(store.uri(), namespace).withFreshness(freshness);
      config = streams.applyTo(config);
      config = config.withBlocks(config.blocks().withMemoryBytes(memoryBytes));
      if (digest.isPresent()) {
        config = config.withItems(items(digest.get().digest(), store.uri()));
      }
      return CachedDoor.open(config, store, cache(kind, memoryBytes, credentials, console));
    }

    @Override
    public void close() throws IOException {
      if (digest.isPresent()) {
        digest.get().close();
      }
    }
  }

  private DoorCache cache(
      String kind, long memoryBytes, ClientCredentials credentials, Console console)
      throws IOException {
    String variable = console.environment().getOrDefault(ServerOptions.VARIABLE, "");
    String text = managers != null ? managers : variable;
    if (text.isBlank()) {
      return new NoCache();
    }
    List<URI> addresses = Stream.of(text.strip().split("[, ]+", -1)).map(Addresses::parse).toList();
    DoorLink.Settings settings =
        new DoorLink.Settings(
            JobNames.unique(kind), "", addresses, credentials, UnaryOperator.identity());
    return PlannedDoorCache.open(settings, memoryBytes);
  }

  /** Returns the secret that names are made with: only who has it too finds the same blocks. */
  private byte[] namespace(ClientCredentials credentials) throws CommandFailure, IOException {
    if (namespaceFile == null) {
      return ownNamespace(credentials);
    }
    byte[] secret = Files.readAllBytes(namespaceFile);
    if (secret.length == 0) {
      throw new CommandFailure(
          ExitCode.USAGE, "--namespace-file " + namespaceFile + " is empty; put a secret into it");
    }
    return secret;
  }

  /** Returns the secret of doors that are told none: those with one token share what they read. */
  static byte[] ownNamespace(ClientCredentials credentials) {
    String token = credentials.authorization().orElse("");
    return ("quiver namespace " + token).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the digest's objects by their names in the door's store. */
  private KnownItems items(DatasetDigest digest, String store) throws IOException {
    String source = String.valueOf(digest.metadata().getOrDefault(DigestMetadata.SOURCE, ""));
    String root = store.endsWith("/") ? store : store + "/";
    String inside = source.startsWith(root) ? source.substring(root.length()) : "";
    String prefix = inside.isEmpty() || inside.endsWith("/") ? inside : inside + "/";
    Path file = Objects.requireNonNull(digestFile);
    return new KnownItems(digest, prefix, Files.getLastModifiedTime(file).toInstant());
  }
}
