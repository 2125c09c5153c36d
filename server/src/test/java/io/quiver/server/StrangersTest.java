package io.quiver.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.Wire;
import io.quiver.server.TestClient.Answer;
import io.quiver.server.plan.UnplannedSpaces;
import io.quiver.store.BlobStore;
import io.quiver.store.memory.MemoryBlobStore;
import io.quiver.testkit.StalledClients;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers whom nobody vouches for take no more than their part from the others. */
final class StrangersTest {
  private static final int MIB = 1 << 20;

  private static byte[] plan(long version, String space) {
    String document =
        "{\"version\": " + version + ", \"prefix\": \"ds-\", \"spaces\": [{\"name\": \"%s\"}]}";
    return document.formatted(space).getBytes(UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:7401, text/plain, , 415",
    "127.0.0.1:7401, , , 415",
    "127.0.0.1:7401, application/jsonp, , 415",
    "127.0.0.1:7401, application/json, http://evil.example, 403",
    "127.0.0.1:7401, application/json, null, 403",
    "evil.example:7401, application/json, http://evil.example:7401, 403",
    "evil.example, application/json, , 403",
    "'127.0.0.1:7401, evil.example', application/json, , 400",
    "127.0.0.1:7401, application/json; charset=utf-8, http://127.0.0.1:7401, 200",
    "[::1]:7401, Application/JSON, , 200",
    "gpu-7:7401, application/json, https://GPU-7:7401, 200",
    "localhost:7401, application/json, , 200",
  })
  void aWebPageOfAnotherSiteCannotOrderSpaces(String host, String type, String origin, int status)
      throws Exception {
    try (TestServer server = new TestServer();
        TestClient client = server.client()) {
      byte[] plan = plan(1, "ds-a");
      String head =
          "POST /v1/spaces HTTP/1.1\r\nHost: "
              + host
              + "\r\nContent-Length: "
              + plan.length
              + (type == null ? "" : "\r\nContent-Type: " + type)
              + (origin == null ? "" : "\r\nOrigin: " + origin)
              + "\r\n\r\n";
      Answer answer = client.send(head).send(plan).answer();
      assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    }
  }

  @Test
  void theManagersPlanCountsWhateverVersionAnotherSent() throws Exception {
    try (TestServer server = new TestServer();
        TestClient client = server.client()) {
      byte[] far = plan(Long.MAX_VALUE - 1, "ds-a");
      assertThat(client.ask("POST /v1/spaces", TestClient.JSON, far).status()).isEqualTo(400);
      byte[] soon = plan(System.currentTimeMillis() + 1_000, "ds-a");
      assertThat(client.ask("POST /v1/spaces", TestClient.JSON, soon).status()).isEqualTo(200);
      List<SpaceOrder> orders = List.of(SpaceOrder.fixed(new SpaceId("ds-b")));
      ServerPlan followed = new ServerPlan(7, "ds-", List.of(), orders);
      assertThat(server.server.applySpaces(followed).accepted()).isTrue();
      assertThat(client.ask("POST /v1/spaces", TestClient.JSON, plan(8, "ds-a")).status())
          .isEqualTo(409);
    }
  }

  @Test
  void slowUploadsOfOneCallerLeaveBytesForOthers() throws Exception {
    String upload = "PUT /v1/blobs/" + "0".repeat(64) + " HTTP/1.1\r\nHost: t\r\n";
    String head = upload + "Content-Length: " + TestServer.MAX_BLOB + "\r\n\r\n";
    try (TestServer server =
            new TestServer(config ->
                config
                    .withMaxResponseBytes(TestServer.MAX_BLOB)
                    .withInFlightBytes(4 * TestServer.MAX_BLOB, TestServer.MAX_BLOB)
                    .withBudgetTimeout(Duration.ofMillis(20)));
        StalledClients uploads =
            new StalledClients(server.server.address().getPort(), 4, head, 100_000);
        TestClient client = server.client()) {
      assertThat(uploads).isNotNull();
      byte[] content = server.stored(new Random(3), 1_000);
      TestServer.await("all arrive", () -> server.metrics().requestsInFlight() == 4);
      assertThat(client.ask("GET /v1/blobs/" + ContentHash.ofContent(content).toHex()).status())
          .isEqualTo(200);
    }
  }

  @Test
  void readsLongerThanAnAnswerHoldNothingWhileTheyWaitForMore() throws Exception {
    AtomicInteger readers = new AtomicInteger();
    AtomicReference<TestServer> running = new AtomicReference<>();
    BlobStore memory = new MemoryBlobStore(256 << 20, TestServer.MAX_BLOB);
    InvocationHandler together =
        (_, method, arguments) -> {
          if (method.getName().startsWith("read") && readers.incrementAndGet() <= 4) {
            // Lets all hold their first share before any of them asks for more.
            TestServer.await(
                "four read, or some wait",
                () -> readers.get() >= 4 || running.get().budget().contended("127.0.0.1"));
          }
          return method.invoke(memory, arguments);
        };
    BlobStore store =
        (BlobStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BlobStore.class}, together);
    try (TestServer server =
        new TestServer(
            store,
            config ->
                config
                    .withMaxResponseBytes(MIB)
                    .withInFlightBytes(TestServer.MAX_BLOB, TestServer.MAX_BLOB)
                    .withBudgetTimeout(Duration.ofSeconds(9)))) {
      running.set(server);
      byte[] content = server.stored(new Random(3), 2 * MIB);
      String call = "GET /v1/blobs/" + ContentHash.ofContent(content).toHex();
      List<TestClient> clients = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        clients.add(server.client().request(call, "", new byte[0]));
      }
      for (TestClient client : clients) {
        assertThat(client.answer().body()).isEqualTo(content);
        client.close();
      }
    }
  }

  @Test
  void smallInsertsThatStallHoldNoLargeBuffers() throws Exception {
    Offer two = new Offer(ContentHash.ofContent(new byte[2]), SpaceId.DEFAULT, 2);
    byte[] offer = TestClient.bytes(new OfferFrame(List.of(two)));
    String head = "PUT /v1/blobs HTTP/1.1\r\nHost: t\r\nContent-Length: " + (offer.length + 2);
    try (TestServer server = new TestServer()) {
      List<TestClient> stalled = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        stalled.add(server.client().send(head + "\r\n\r\n").send(offer));
      }
      TestServer.await("all are read", () -> server.budget().heldBytes() >= 40 << 10);
      assertThat(server.gauge("quiver_buffers_lent")).isLessThan(20);
      for (TestClient client : stalled) {
        client.close();
      }
      server.assertHealthyAndEmpty();
    }
  }

  @Test
  void spacesThatNoPlanOrdersAreBounded() throws Exception {
    try (TestServer server = new TestServer();
        TestClient client = server.client()) {
      List<Receipt> receipts = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        int first = round * OfferFrame.MAX_SPACES;
        List<Offer> offers =
            IntStream.range(first, first + OfferFrame.MAX_SPACES)
                .mapToObj(i -> new SpaceId("stray-" + i))
                .map(space -> new Offer(ContentHash.ofContent(new byte[0]), space, 0))
                .toList();
        receipts.addAll(client.put(new OfferFrame(offers)));
      }
      assertThat(server.store.spaces()).hasSizeLessThanOrEqualTo(UnplannedSpaces.MOST_OF_CALLER);
      assertThat(receipts).contains(Receipt.STORED, Receipt.NO_ROOM);
      Offer known = new Offer(ContentHash.ofContent(new byte[0]), new SpaceId("stray-0"), 0);
      assertThat(client.put(new OfferFrame(List.of(known)))).containsOnly(Receipt.ALREADY_HERE);
    }
  }

  @Test
  void keepersInMemoryAreBounded() throws Exception {
    String spaces =
        IntStream.range(0, 1_025)
            .mapToObj(
                i -> "{\"name\": \"ds-" + i + "\", \"keeper\": \"recent\", \"quota_bytes\": 9}")
            .collect(Collectors.joining(","));
    byte[] plan = ("{\"prefix\": \"ds-\", \"spaces\": [" + spaces + "]}").getBytes(UTF_8);
    try (TestServer server = new TestServer();
        TestClient client = server.client()) {
      Answer answer = client.ask("POST /v1/spaces", TestClient.JSON, plan);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).contains("at most 1024");
    }
  }

  @Test
  void aClaimThatIsRenewedAgainAndAgainEndsAllTheSame() throws Exception {
    try (TestServer server = new TestServer(config -> config.withIdleTimeout(Duration.ofDays(1)));
        TestClient client = server.client()) {
      AskFrame ask = new AskFrame(List.of(ContentHash.ofContent(new byte[1])), 1, true);
      AskStatus other = AskStatus.PENDING;
      for (int second = 0; second <= 10; second += 2) {
        client.blobs(Wire.LOOKUP_PATH, ask, "Quiver-Job: squatter\r\n");
        server.skewNanos.addAndGet(Duration.ofSeconds(2).toNanos());
        other = client.blobs(Wire.LOOKUP_PATH, ask, "Quiver-Job: reader\r\n").frame().status(0);
      }
      assertThat(other).isEqualTo(AskStatus.YOURS);
    }
  }
}
