package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Output;
import io.quiver.client.JobNames;
import io.quiver.client.link.DoorLink;
import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.cache.PlannedDoorCache;
import io.quiver.gateway.s3.GatewayConfig;
import io.quiver.gateway.s3.S3Gateway;
import io.quiver.gateway.s3.store.BucketOpener;
import io.quiver.http.ClientCredentials;
import io.quiver.node.Node;
import io.quiver.node.NodeException;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the S3 endpoint that {@code quiver up} serves beside its cache. */
final class EndpointOptions {
  private static final Duration FRESHNESS = Duration.ofSeconds(5);
  private static final long MEMORY_BYTES = 256L << 20;
  private static final long LEAST_DOOR_BYTES = 32L << 20;

  @Option(
      names = "--s3",
      paramLabel = "[<name>=]<uri>",
      description =
          "Bucket or folder to show to S3 clients as well, as quiver gateway does; may be repeated.")
  private @Nullable List<String> buckets;

  @Option(
      names = "--s3-port",
      paramLabel = "<port>",
      defaultValue = "" + GatewayConfig.DEFAULT_PORT,
      description = "Port of the S3 endpoint; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--s3-keys",
      paramLabel = "<file>",
      description = "File of access keys of S3 clients (default: one pair is made).")
  private @Nullable Path keys;

  @Mixin private final StreamsOption streams = new StreamsOption();

  @ArgGroup(exclusive = false, heading = "%nRemote stores of the S3 endpoint:%n")
  private RemoteOptions remote = new RemoteOptions();

  /** An endpoint that runs, and who may use it. */
  record Endpoint(S3Gateway gateway, S3Access access) {}

  /** Starts the endpoint in a node that runs, if one is wanted. */
  @Nullable Endpoint start(Node node, ListenOptions listen, Output output)
      throws CommandFailure, NodeException {
    if (buckets == null) {
      return null;
    }
    Map<String, String> addresses = BucketAddresses.parse(buckets);
    S3Access access = S3Access.of(keys, false, listen.address(), "--s3-keys");
    GatewayConfig plain = GatewayConfig.on(listen.host(), port, addresses, access.keys());
    GatewayConfig config = listen.address().tls().map(plain::withTls).orElse(plain);
    ClientCredentials credentials = Addresses.credentials(output.console(), listen.certificate());
    long memoryBytes = Math.max(LEAST_DOOR_BYTES, MEMORY_BYTES / addresses.size());
    BucketOpener opener =
        new BucketOpener(
            remote.config(), store -> door(store, node.uri(), credentials, memoryBytes));
    return new Endpoint(node.serveS3(config, opener), access);
  }

  private Door door(RemoteStore store, URI manager, ClientCredentials credentials, long memoryBytes)
      throws IOException {
    DoorConfig config =
        DoorConfig.of(store.uri(), DoorOptions.ownNamespace(credentials)).withFreshness(FRESHNESS);
    DoorLink.Settings settings =
        new DoorLink.Settings(
            JobNames.unique("s3"), "", List.of(manager), credentials, UnaryOperator.identity());
    return CachedDoor.open(
        streams.applyTo(config.withBlocks(config.blocks().withMemoryBytes(memoryBytes))),
        store,
        PlannedDoorCache.open(settings, memoryBytes));
  }
}
