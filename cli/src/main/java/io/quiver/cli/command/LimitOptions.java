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
      description = "Most connections (default: 1024).")
  private @Nullable Integer connections;

  @Option(
      names = "--max-in-flight",
      paramLabel = "<size>",
      description = "Most bytes in flight, over all connections (default: 1GiB).")
  private @Nullable ByteSize inFlight;

  @Option(
      names = "--max-connection-in-flight",
      paramLabel = "<size>",
      description = "Most bytes in flight on one connection (default: 256MiB).")
  private @Nullable ByteSize connectionInFlight;

  @Option(
      names = "--max-response",
      paramLabel = "<size>",
      description = "Most payload of one batch answer; the rest is deferred (default: 64MiB).")
  private @Nullable ByteSize response;

  @Option(
      names = "--max-blob",
      paramLabel = "<size>",
      description = "Largest blob that is accepted (default: 256MiB).")
  private @Nullable ByteSize blob;

  @Option(
      names = "--idle-timeout",
      paramLabel = "<time>",
      description = "Longest pause of a connection between requests (default: 5m).")
  private @Nullable Duration idle;

  @Option(
      names = "--request-timeout",
      paramLabel = "<time>",
      description = "Longest time for the head of a request (default: 10s).")
  private @Nullable Duration request;

  @Option(
      names = "--stall-timeout",
      paramLabel = "<time>",
      description = "Longest time without progress of a body or an answer (default: 20s).")
  private @Nullable Duration stall;

  @Option(
      names = "--claim-lease",
      paramLabel = "<time>",
      description = "Time after which a claim ends without an insert (default: 5s).")
  private @Nullable Duration lease;

  @Option(
      names = "--max-claims",
      paramLabel = "<n>",
      description = "Most claims at a time (default: 262144).")
  private @Nullable Integer claims;

  @Option(
      names = "--segment",
      paramLabel = "<size>",
      description = "Length of a segment file (default: a 16th of a disk, at most 1GiB).")
  private @Nullable ByteSize segment;

  @Option(
      names = "--cold-readers",
      paramLabel = "<n>",
      description = "Threads that read blobs from disk (default: 16).")
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

  /** The sizes check one another, so the bound that grows goes first when it is raised. */
  private void sizes(ServerConfig[] config) {
    ServerConfig current = config[0];
    long total = bytes(inFlight, current.limits().inFlightBytes());
    long one = bytes(connectionInFlight, current.limits().connectionInFlightBytes());
    long answer = bytes(response, current.limits().responseBytes());
    long longest = bytes(blob, current.limits().blobBytes());
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
