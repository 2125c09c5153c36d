package io.quiver.cli;

import io.quiver.client.link.DoorLink;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.space.SpaceId;
import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.OpenObject;
import io.quiver.gateway.door.block.BlockBounds;
import io.quiver.gateway.door.cache.PlannedDoorCache;
import io.quiver.http.ClientCredentials;
import io.quiver.http.Exchange;
import io.quiver.manager.CacheManager;
import io.quiver.manager.ManagerConfig;
import io.quiver.manager.ManagerServer;
import io.quiver.node.HostedServer;
import io.quiver.remote.CountingStore;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteStore;
import io.quiver.server.ServerConfig;
import io.quiver.server.plan.PlanSource;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdStoreConfig;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A real manager and a real cache server, and doors over one store that report to them. */
@SuppressWarnings("try") // closing it may be interrupted
final class StreamCluster implements AutoCloseable {
  static final String STORE = "s3://bucket/data";

  private static final byte[] NAMESPACE = "a key of the test".getBytes(StandardCharsets.UTF_8);
  private static final int BLOCK = 64 << 10;
  private static final long PLAN_BYTES = 32L << 20;
  private static final long DISK_BYTES = 128L << 20;
  private static final long MEMORY_BYTES = 16L << 20;

  private final HostedServer server;
  private CacheManager manager;
  private ManagerServer front;

  StreamCluster(Path folder) throws Exception {
    startManager(0);
    server =
        HostedServer.start(
            ServerConfig.on("127.0.0.1", 0).withName("server"),
            SsdStoreConfig.of(List.of(folder.resolve("cache")), DISK_BYTES),
            RecoveryProgress.NONE);
    server.follow(PlanSource.of(List.of(uri()), ClientCredentials.NONE));
    Await.until("the server is a member", () -> manager.plan().members().size() == 1);
  }

  /** Starts a manager that knows nothing yet. */
  void startManager(int port) throws Exception {
    manager = CacheManager.start(ManagerConfig.DEFAULT.withBudget(PLAN_BYTES));
    front =
        ManagerServer.start(
            ManagerServer.Listen.on("127.0.0.1", port),
            manager,
            exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'{', '}'}));
  }

  /** Ends the manager; returns the port at which it was. */
  int stopManager() {
    int port = front.port();
    front.close();
    manager.close();
    return port;
  }

  CacheManager manager() {
    return manager;
  }

  private URI uri() {
    return URI.create("http://127.0.0.1:" + front.port());
  }

  /** A door with the store behind it, counted. */
  record CountedDoor(String name, CachedDoor door, CountingStore store) implements AutoCloseable {
    /** Reads a whole object. */
    void read(String object, long reader) throws IOException {
      try (OpenObject opened = door.open(door.stat(object))) {
        opened.readBy(reader);
        long size = opened.details().object().size();
        ByteBuffer target = ByteBuffer.allocate((int) size);
        for (int count = 0; count < size; ) {
          count += opened.read(count, target);
        }
      }
    }

    /** Lists a folder, as a program does before it reads. */
    void list(String folder) throws IOException {
      ListingRequest request = ListingRequest.folder(folder);
      while (request != null) {
        ListingPage page = door.list(request);
        request = page.next() == null ? null : request.after(page.next());
      }
    }

    @Override
    public void close() {
      door.close();
    }
  }

  /** Opens a door; it reads ahead by recognition only. The caller closes it. */
  CountedDoor door(String name, RemoteStore store) throws IOException {
    CountingStore counted = new CountingStore(store);
    DoorConfig config =
        DoorConfig.of(STORE, NAMESPACE).withBlocks(new BlockBounds(BLOCK, MEMORY_BYTES, 0, 16));
    DoorLink.Settings settings =
        new DoorLink.Settings(
            name, "", List.of(uri()), ClientCredentials.NONE, UnaryOperator.identity());
    CachedDoor door =
        CachedDoor.open(config, counted, PlannedDoorCache.open(settings, MEMORY_BYTES));
    return new CountedDoor(name, door, counted);
  }

  /** Returns the plan's decision about the only stream; empty before there is one. */
  Optional<StreamOrder> order() {
    return manager.plan().streams().values().stream().findFirst();
  }

  /** Waits until a door acts on the latest plan. */
  void awaitFollowed(CountedDoor door) {
    String name = door.name();
    long version = manager.plan().version();
    Await.until(
        "the door follows plan " + version,
        () ->
            manager.doors().stream()
                .anyMatch(each -> each.door().equals(name) && each.planVersion() >= version));
  }

  /** Returns how many blobs lie in a space. */
  long blobs(SpaceId space) {
    return server.store().spaces().stream()
        .filter(each -> each.space().equals(space))
        .mapToLong(each -> each.blobs())
        .sum();
  }

  @Override
  public void close() throws Exception {
    server.close();
    front.close();
    manager.close();
  }
}
