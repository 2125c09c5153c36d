package io.quiver.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.Blob;
import io.quiver.client.BlobAnswer;
import io.quiver.client.PutAnswer;
import io.quiver.client.link.DoorLink;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.plan.DoorSpaces;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.http.ClientCredentials;
import io.quiver.http.Exchange;
import io.quiver.manager.CacheManager;
import io.quiver.manager.ManagerConfig;
import io.quiver.manager.ManagerServer;
import io.quiver.server.ServerConfig;
import io.quiver.server.plan.PlanSource;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdStoreConfig;
import io.quiver.testkit.Await;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Doors follow a real manager to real servers, and go on without the manager. */
@Timeout(300)
class DoorLinkTest {
  private static final long PLAN_BYTES = 16L << 20;
  private static final int BLOCK = 64 << 10;

  @TempDir private Path folder;
  private final List<HostedServer> servers = new ArrayList<>();
  private final ManagerConfig config = ManagerConfig.DEFAULT.withBudget(PLAN_BYTES);
  private CacheManager manager;
  private ManagerServer front;

  @BeforeEach
  void start() throws Exception {
    startManager(0);
  }

  private void startManager(int port) throws Exception {
    manager = CacheManager.start(config);
    front =
        ManagerServer.start(
            ManagerServer.Listen.on("127.0.0.1", port),
            manager,
            exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'{', '}'}));
  }

  private void startServer(String name) throws Exception {
    HostedServer server =
        HostedServer.start(
            ServerConfig.on("127.0.0.1", 0).withName(name),
            SsdStoreConfig.of(List.of(Files.createTempDirectory(folder, "cache")), 64L << 20),
            RecoveryProgress.NONE);
    servers.add(server);
    server.follow(PlanSource.of(List.of(uri()), ClientCredentials.NONE));
  }

  private URI uri() {
    return URI.create("http://127.0.0.1:" + front.port());
  }

  private DoorLink door(String name) throws Exception {
    return DoorLink.open(
        new DoorLink.Settings(
            name, "eve", List.of(uri()), ClientCredentials.NONE, UnaryOperator.identity()));
  }

  @AfterEach
  void stop() throws Exception {
    for (HostedServer server : servers) {
      server.close();
    }
    front.close();
    manager.close();
  }

  private static byte[] block(int seed) {
    byte[] bytes = new byte[BLOCK];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static ContentHash insert(DoorLink door, int seed) {
    byte[] bytes = block(seed);
    ContentHash hash = ContentHash.ofContent(bytes);
    PutAnswer answer =
        door.blobs()
            .put(List.of(new Blob(hash, door.space(), ByteBuffer.wrap(bytes))), door.plan());
    assertThat(answer.failures()).isEmpty();
    return hash;
  }

  private static boolean isHit(DoorLink door, ContentHash hash) {
    try (BlobAnswer answer = door.blobs().get(List.of(hash))) {
      return answer.hits() == 1;
    }
  }

  private long inDoorSpace() {
    return servers.stream()
        .flatMap(server -> server.store().spaces().stream())
        .filter(space -> space.space().equals(DoorSpaces.SHARED))
        .mapToLong(space -> space.blobs())
        .sum();
  }

  @Test
  void doorsFillOneSpaceAndFindWhatOthersHaveRead() throws Exception {
    startServer("a");
    try (DoorLink one = door("one");
        DoorLink two = door("two")) {
      Await.until("both doors can use the cache", () -> one.usable() && two.usable());
      assertThat(one.space()).isEqualTo(DoorSpaces.SHARED);
      assertThat(one.plan()).isPositive();
      ContentHash hash = insert(one, 1);
      assertThat(isHit(two, hash)).isTrue();
      assertThat(inDoorSpace()).isEqualTo(1);
      assertThat(manager.doors()).extracting(DoorReport::door).containsExactly("one", "two");
      assertThat(manager.plan().doors())
          .satisfies(order -> {
            assertThat(order.keeper()).isEqualTo(KeeperKind.FIFO3);
            assertThat(order.quotaBytes()).isGreaterThan(PLAN_BYTES / 2);
          });

      startServer("b");
      Await.until("there are two members", () -> manager.plan().members().size() == 2);
      long both = manager.plan().version();
      Await.until("doors follow", () -> one.plan() >= both && two.plan() >= both);
      for (int i = 10; i < 40; i++) {
        assertThat(isHit(two, insert(one, i))).isTrue();
      }
      assertThat(servers).allSatisfy(server -> assertThat(server.store().spaces()).isNotEmpty());
    }
    Await.until("doors said goodbye", () -> manager.doors().isEmpty());
  }

  @Test
  void aDoorMeasuresWhatItIsTold() throws Exception {
    startServer("a");
    try (DoorLink door = door("d")) {
      for (int i = 0; i < 100; i++) {
        door.noteRead(new Random(i % 50).nextLong(), BLOCK, i < 50, 1_000_000);
      }
      Await.until("the manager knows", () -> manager.doors().getFirst().bytes() == 50L * BLOCK);
      DoorReport report = manager.doors().getFirst();
      assertThat(report.user()).isEqualTo("eve");
      assertThat(report.storeShare()).isBetween(0.4, 0.6);
      assertThat(report.storeSeconds()).isBetween(0.0009, 0.0011);
    }
  }

  @Test
  void withoutAManagerTheLastPlanCounts() throws Exception {
    startServer("a");
    int port = front.port();
    try (DoorLink door = door("d")) {
      Await.until("the door can use the cache", door::usable);
      ContentHash hash = insert(door, 1);
      long before = door.plan();
      front.close();
      manager.close();
      Await.until("the door notices", () -> !door.managerReachable());
      assertThat(door.usable()).isTrue();
      assertThat(isHit(door, hash)).isTrue();
      assertThat(isHit(door, insert(door, 2))).isTrue();

      startManager(port);
      Await.until("the door follows the new manager", () -> door.plan() > before);
      Await.until("it knows the server", () -> manager.plan().members().size() == 1);
      long version = manager.plan().version();
      Await.until(
          "the door can use the cache again", () -> door.plan() >= version && door.usable());
      assertThat(isHit(door, hash)).as("the new manager dropped nothing").isTrue();
    }
  }

  @Test
  void beforeTheFirstPlanADoorReadsFromTheStore() throws Exception {
    int port = front.port();
    front.close();
    manager.close();
    try (DoorLink door = door("d")) {
      assertThat(door.usable()).isFalse();
      assertThat(door.plan()).isZero();
      startManager(port);
      startServer("a");
      Await.until("the door can use the cache", door::usable);
    }
  }

  @Test
  void aDoorWhoseNameIsTakenGoesOnUnderAnother() throws Exception {
    try (DoorLink first = door("same");
        DoorLink second = door("same")) {
      assertThat(first.door()).isEqualTo("same");
      assertThat(second.door()).startsWith("same-");
      Await.until("both report", () -> manager.doors().size() == 2);
    }
  }
}
