package io.quiver.node;

import io.quiver.gateway.s3.GatewayConfig;
import io.quiver.gateway.s3.S3Gateway;
import io.quiver.gateway.s3.store.StoreOpener;
import io.quiver.http.Exchange;
import io.quiver.http.RequestHandler;
import io.quiver.manager.CacheManager;
import io.quiver.manager.ManagerServer;
import io.quiver.protocol.Json;
import io.quiver.server.ServerConfig;
import io.quiver.store.StoreUsage;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything one process of {@code quiver up} runs, started and stopped as a whole: the cache
 * servers first, then the cache manager they follow, with the status page at its port.
 */
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  private final NodeConfig config;
  private final InstantSource clock;
  private final List<HostedServer> servers = new ArrayList<>();
  // Closed in reverse order, so that what was started last goes first.
  private final List<AutoCloseable> parts = new ArrayList<>();
  private final Instant started;
  private int statusPort;
  private @Nullable CacheManager manager;

  private Node(NodeConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    this.started = clock.instant();
  }

  /** Starts every part; when one fails, those already running are stopped again. */
  public static Node start(NodeConfig config, InstantSource clock, RecoveryProgress progress)
      throws NodeException {
    Node node = new Node(config, clock);
    try {
      node.requireFreePorts();
      node.startServers(progress);
      node.startManager();
      node.servers.forEach(server -> server.follow(new LocalPlans(node.manager())));
      return node;
    } catch (NodeException | RuntimeException e) {
      node.close();
      throw e;
    }
  }

  /** Fails on a taken port before the disks are read, which may take minutes. */
  private void requireFreePorts() throws NodeException {
    int first = config.listen().port();
    for (int port = first; port != 0 && port <= first + config.servers(); port++) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.setReuseAddress(true);
        probe.bind(new InetSocketAddress(config.listen().host(), port));
      } catch (IOException e) {
        throw HostedServer.cannotListen(config.listen().host(), port, e);
      }
    }
  }

  private void startServers(RecoveryProgress progress) throws NodeException {
    long capacity = capacityBytes(config.disks(), config.capacity()) / config.servers();
    for (int index = 0; index < config.servers(); index++) {
      ServerConfig plain =
          ServerConfig.on(config.listen().host(), config.serverPort(index))
              .withName("server-" + index)
              .withAccess(config.listen().access());
      ServerConfig known = config.listen().advertised().map(plain::withAdvertised).orElse(plain);
      HostedServer server =
          HostedServer.start(
              config.listen().tls().map(known::withTls).orElse(known),
              SsdStoreConfig.of(config.directories(index), capacity),
              progress);
      servers.add(server);
      parts.add(server);
    }
  }

  private void startManager() throws NodeException {
    CacheManager manager = planning();
    parts.add(manager);
    try {
      ManagerServer http =
          ManagerServer.start(config.listen(), manager, new StatusPage(this::status));
      parts.add(http);
      statusPort = http.port();
      this.manager = manager;
    } catch (IOException e) {
      throw HostedServer.cannotListen(config.listen().host(), config.listen().port(), e);
    }
  }

  private CacheManager planning() throws NodeException {
    try {
      return CacheManager.start(config.manager(), new PreferenceFile(config.disks().getFirst()));
    } catch (IOException e) {
      throw new NodeException("the manager does not start: " + e.getMessage(), e);
    }
  }

  /** Serves S3 clients beside the cache; the endpoint stops before the servers do. */
  public S3Gateway serveS3(GatewayConfig s3, StoreOpener stores) throws NodeException {
    try {
      S3Gateway gateway = S3Gateway.start(s3, stores, clock);
      parts.add(gateway);
      return gateway;
    } catch (IOException e) {
      throw new NodeException("the S3 endpoint does not start: " + e.getMessage(), e);
    }
  }

  /** Returns the capacity of a cache in these directories; makes those that are missing. */
  public static long capacityBytes(List<Path> disks, Capacity capacity) throws NodeException {
    for (Path disk : disks) {
      Disks.ensure(disk);
    }
    return capacity.bytes(Disks.offeredBytes(disks));
  }

  /** Returns the cache servers, in order. */
  public List<HostedServer> servers() {
    return List.copyOf(servers);
  }

  /** Returns the cache manager. */
  public CacheManager manager() {
    return Objects.requireNonNull(manager);
  }

  /** Returns where the manager and the status page are. */
  public URI uri() {
    return config.listen().uri(statusPort);
  }

  /** Returns how the node fares, now. */
  public NodeStatus status() {
    return NodeStatus.of(
        BuildVersion.number(),
        started,
        clock.instant(),
        servers.stream()
            .map(s -> new NodeStatus.Server(s.name(), s.uri(), usage(s.store().usage())))
            .toList());
  }

  private static NodeStatus.Usage usage(StoreUsage usage) {
    return new NodeStatus.Usage(
        usage.capacityBytes(),
        usage.usedBytes(),
        usage.liveBytes(),
        usage.blobs(),
        usage.activity().warmReads(),
        usage.activity().coldReads(),
        usage.activity().corruptBlobs(),
        usage.activity().failures());
  }

  /** Stops every part; trouble with one does not keep the others from stopping. */
  @Override
  public void close() {
    for (AutoCloseable part : parts.reversed()) {
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("a part of the node did not stop cleanly", e);
      }
    }
    parts.clear();
  }

  /** Answers with the node's status as JSON that people can read. It holds no secrets. */
  static final class StatusPage implements RequestHandler {
    private final Supplier<NodeStatus> status;

    /** Answers with what the supplier says at that moment. */
    StatusPage(Supplier<NodeStatus> status) {
      this.status = status;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
      byte[] json = (Json.indented(status.get()) + "\n").getBytes(StandardCharsets.UTF_8);
      exchange.answer(200, Exchange.JSON, json, Map.of("Cache-Control", "no-store"));
    }
  }
}
