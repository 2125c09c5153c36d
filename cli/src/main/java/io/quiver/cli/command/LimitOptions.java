package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.report.ByteSize;
import io.quiver.server.ServerConfig;
import io.quiver.store.ssd.SsdStoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Every bound of a cache server that an operator may move; what is not given keeps its default. */
final class LimitOptions {
  @Option(
      names = "--max-connections",
      paramLabel = "<n>",
      description = "Connections served at once (default: 1024).")
  private @Nullable Integer connections;

  @Option(
      names = "--max-in-flight",
      paramLabel = "<size>",
      description = "Bytes all connections together may have on their way (default: 1GiB).")
  private @Nullable ByteSize inFlight;

  @Option(
      names = "--max-connection-in-flight",
      paramLabel = "<size>",
      description = "The same for one connection (default: 256MiB).")
  private @Nullable ByteSize connectionInFlight;

  @Option(
      names = "--max-response",
      paramLabel = "<size>",
      description = "Payload of one batch answer; the rest is deferred (default: 64MiB).")
  private @Nullable ByteSize response;

  @Option(
      names = "--max-blob",
      paramLabel = "<size>",
      description = "Longest blob taken (default: 256MiB).")
  private @Nullable ByteSize blob;

  @Option(
      names = "--idle-timeout",
      paramLabel = "<time>",
      description = "How long a connection may wait between requests (default: 5m).")
  private @Nullable Duration idle;

  @Option(
      names = "--request-timeout",
      paramLabel = "<time>",
      description = "How long the head of a request may take (default: 10s).")
  private @Nullable Duration request;

  @Option(
      names = "--stall-timeout",
      paramLabel = "<time>",
      description = "How long a body or an answer may stand still (default: 20s).")
  private @Nullable Duration stall;

  @Option(
      names = "--claim-lease",
      paramLabel = "<time>",
      description = "How long a job may take to insert what it claimed (default: 5s).")
  private @Nullable Duration lease;

  @Option(
      names = "--max-claims",
      paramLabel = "<n>",
      description = "Claims remembered at once (default: 1048576).")
  private @Nullable Integer claims;

  @Option(
      names = "--segment",
      paramLabel = "<size>",
      description = "Length of a segment file (default: a 16th of a disk, at most 1GiB).")
  private @Nullable ByteSize segment;

  @Option(
      names = "--cold-readers",
      paramLabel = "<n>",
      description = "Threads that read from disk what is not in memory (default: 16).")
  private @Nullable Integer coldReaders;

  @Option(
      names = "--cold-buffer",
      paramLabel = "<size>",
      description = "Memory for blobs read from disk and not yet sent (default: 256MiB).")
  private @Nullable ByteSize coldBuffer;

  /** The server's configuration with these limits. */
  ServerConfig server(ListenOptions listen, int port, String name) throws CommandFailure {
    ServerConfig defaults = ServerConfig.on(listen.host(), port).withName(name);
    ServerConfig[] config = {
      listen.tls().map(defaults::withTls).orElse(defaults).withAccess(listen.access())
    };
    whenGiven(connections, value -> config[0] = config[0].withMaxConnections(value));
    sizes(config);
    whenGiven(idle, value -> config[0] = config[0].withIdleTimeout(value));
    whenGiven(request, value -> config[0] = config[0].withRequestTimeout(value));
    whenGiven(stall, value -> config[0] = config[0].withStallTimeout(value));
    whenGiven(lease, value -> config[0] = config[0].withClaimLease(value));
    whenGiven(claims, value -> config[0] = config[0].withMaxClaims(value));
    return config[0];
  }

  /** The sizes check one another, so the bound that grows room goes first when it is raised. */
  private void sizes(ServerConfig[] config) {
    ServerConfig current = config[0];
    long total = bytes(inFlight, current.maxInFlightBytes());
    long one = bytes(connectionInFlight, current.maxConnectionInFlightBytes());
    long answer = bytes(response, current.maxResponseBytes());
    long longest = bytes(blob, current.maxBlobBytes());
    config[0] =
        current
            .withInFlightBytes(Long.MAX_VALUE, Long.MAX_VALUE)
            .withMaxResponseBytes(answer)
            .withMaxBlobBytes(longest)
            .withInFlightBytes(total, one);
  }

  /** The store's configuration with these limits. */
  SsdStoreConfig store(List<Path> directories, long capacityBytes) {
    SsdStoreConfig defaults = SsdStoreConfig.of(directories, capacityBytes);
    return new SsdStoreConfig(
        directories,
        capacityBytes,
        bytes(blob, defaults.maxBlobBytes()),
        bytes(segment, defaults.segmentBytes()),
        coldReaders == null ? defaults.coldReaders() : coldReaders,
        bytes(coldBuffer, defaults.coldBufferBytes()));
  }

  private static long bytes(@Nullable ByteSize given, long otherwise) {
    return given == null ? otherwise : given.bytes();
  }

  private static <T> void whenGiven(@Nullable T value, Consumer<T> change) {
    if (value != null) {
      change.accept(value);
    }
  }
}
