package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Receipt;
import io.quiver.server.TestClient.Answer;
import io.quiver.server.plan.AppliedSpaces;
import io.quiver.server.plan.SpacePlan;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.memory.MemoryBlobStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spaces that exist because a plan says so. */
class PlanCallsTest extends RunningServerTest {
  private final Random random = new Random(5);

  @Test
  void spacesOfThePrefixThatAreNotListedGo() throws Exception {
    insert("ds-a", "ds-b", "ds-c", "other");
    Answer answer = plan("{'version':3,'prefix':'ds-','spaces':[{'name':'ds-b'}]}");
    assertThat(answer.status()).isEqualTo(200);
    JsonNode document = new ObjectMapper().readTree(answer.body());
    assertThat(document.at("/version").asLong()).isEqualTo(3);
    assertThat(document.at("/dropped").toString()).isEqualTo("[\"ds-a\",\"ds-c\"]");
    assertThat(document.at("/freed_bytes").asLong()).isEqualTo(2_000);
    assertThat(names()).containsExactly("ds-b", "other");
  }

  /** A call to drop spaces is a pass over the whole index. */
  @Test
  void spacesThatGoTogetherGoInOneCall() throws Exception {
    BlobStore memory = new MemoryBlobStore(256 << 20, TestServer.MAX_BLOB);
    List<Set<?>> dropped = new CopyOnWriteArrayList<>();
    InvocationHandler counting =
        (_, method, arguments) -> {
          if (method.getName().equals("drop")) {
            dropped.add(arguments[0] instanceof Set<?> spaces ? spaces : Set.of(arguments[0]));
          }
          return method.invoke(memory, arguments);
        };
    BlobStore store =
        (BlobStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BlobStore.class}, counting);
    try (TestServer counted = new TestServer(store, config -> config);
        TestClient through = counted.client()) {
      for (int i = 0; i < 20; i++) {
        assertThat(put(through, "ds-" + i)).isEqualTo(Receipt.STORED);
      }
      AppliedSpaces applied = counted.server.applySpaces(serverPlan(1, "ds-7"));
      assertThat(applied.dropped()).hasSize(19);
      assertThat(dropped).singleElement().satisfies(spaces -> assertThat(spaces).hasSize(19));
    }
  }

  @Test
  void applyingAPlanAgainChangesNothing() throws Exception {
    insert("ds-a");
    String plan = "{'version':3,'prefix':'ds-','spaces':[{'name':'ds-a','quota_bytes':5000}]}";
    for (int i = 0; i < 3; i++) {
      assertThat(plan(plan).text()).contains("\"dropped\":[]").contains("\"version\":3");
    }
    assertThat(client.ask("GET /v1/spaces").text())
        .contains("{\"space\":\"ds-a\",\"charged_bytes\":1000,\"blobs\":1,\"limit_bytes\":5000}");
  }

  @Test
  void aPlanOlderThanTheOneAppliedIsRefusedAndChangesNothing() throws Exception {
    plan("{'version':7,'prefix':'ds-','spaces':[{'name':'ds-a'}]}");
    insert("ds-a");
    Answer old = plan("{'version':6,'prefix':'ds-','spaces':[{'name':'ds-b'}]}");
    assertThat(old.status()).isEqualTo(409);
    assertThat(old.text())
        .contains("\"error\":\"plan 6 is older than plan 7\"")
        .contains("\"remedy\"")
        .contains("\"version\":7");
    assertThat(names()).containsExactly("ds-a");
    assertThat(put("ds-b")).isEqualTo(Receipt.NOT_PLANNED);
  }

  @Test
  void anInsertOfANewerPlanWaitsForThatPlan() throws Exception {
    plan("{'version':7,'prefix':'ds-','spaces':[]}");
    try (TestClient sender = server.client()) {
      byte[] content = content();
      Offer offer =
          new Offer(ContentHash.ofContent(content), new SpaceId("ds-new"), content.length);
      OfferFrame frame = new OfferFrame(List.of(offer));
      sender.request("PUT /v1/blobs", "Quiver-Plan: 8\r\n", TestClient.bytes(frame, content));
      plan("{'version':8,'prefix':'ds-','spaces':[{'name':'ds-new'}]}");
      assertThat(sender.answer().status()).isEqualTo(200);
    }
    assertThat(names()).containsExactly("ds-new");
  }

  @Test
  void anInsertOfAPlanThatDoesNotComeIsJudgedByTheOneThereIs() throws Exception {
    plan("{'version':7,'prefix':'ds-','spaces':[]}");
    byte[] content = content();
    Offer offer = new Offer(ContentHash.ofContent(content), new SpaceId("ds-new"), content.length);
    Answer answer =
        client.ask(
            "PUT /v1/blobs",
            "Quiver-Plan: 8\r\n",
            TestClient.bytes(new OfferFrame(List.of(offer)), content));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(names()).isEmpty();
  }

  @Test
  void anInsertWithAPlanThatIsNoNumberIsRefused() throws Exception {
    byte[] content = content();
    Offer offer = new Offer(ContentHash.ofContent(content), new SpaceId("ds-a"), content.length);
    Answer answer =
        client.ask(
            "PUT /v1/blobs",
            "Quiver-Plan: next\r\n",
            TestClient.bytes(new OfferFrame(List.of(offer)), content));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("not the version of a plan");
  }

  @Test
  void aPlanWithoutAVersionIsNeverOldAndMakesNoneOld() throws Exception {
    plan("{'version':7,'prefix':'ds-','spaces':[]}");
    assertThat(plan("{'prefix':'ds-','spaces':[{'name':'ds-a'}]}").text())
        .contains("\"version\":7");
    assertThat(put("ds-a")).isEqualTo(Receipt.STORED);
    assertThat(plan("{'version':0,'prefix':'ds-','spaces':[]}").status()).isEqualTo(200);
    assertThat(plan("{'version':6,'prefix':'ds-','spaces':[]}").status()).isEqualTo(409);
    assertThat(plan("{'version':7,'prefix':'ds-','spaces':[]}").status()).isEqualTo(200);
  }

  @Test
  void aQuotaBoundsItsSpaceAndItsAbsenceUnboundsIt() throws Exception {
    plan("{'version':1,'prefix':'ds-','spaces':[{'name':'ds-a','quota_bytes':1500}]}");
    assertThat(put("ds-a")).isEqualTo(Receipt.STORED);
    assertThat(put("ds-a")).isEqualTo(Receipt.NO_ROOM);
    plan("{'version':2,'prefix':'ds-','spaces':[{'name':'ds-a'}]}");
    assertThat(put("ds-a")).isEqualTo(Receipt.STORED);
  }

  @Test
  void anInsertDoesNotBringADroppedSpaceBack() throws Exception {
    insert("ds-a");
    plan("{'version':1,'prefix':'ds-','spaces':[{'name':'ds-b'}]}");
    assertThat(put("ds-a")).isEqualTo(Receipt.NOT_PLANNED);
    byte[] content = content();
    String path = "/v1/blobs/" + ContentHash.ofContent(content).toHex() + "?space=ds-a";
    Answer single = client.ask("PUT " + path, "", content);
    assertThat(single.status()).isEqualTo(409);
    assertThat(single.text()).contains("no space ds-a").contains("\"remedy\"");
    assertThat(names()).isEmpty();
    assertThat(put("unplanned")).isEqualTo(Receipt.STORED);
    plan("{'version':2,'prefix':'ds-','spaces':[{'name':'ds-a'}]}");
    assertThat(put("ds-a")).isEqualTo(Receipt.STORED);
  }

  @Test
  void anInsertUnderWayWhileItsSpaceGoesIsTakenBack() throws Exception {
    AtomicReference<Runnable> beforePut = new AtomicReference<>(() -> {});
    BlobStore below = new MemoryBlobStore(1 << 20, 1 << 20);
    BlobStore hooked = hooked(below, () -> beforePut.get().run());
    try (TestServer own = new TestServer(hooked, config -> config);
        TestClient late = own.client()) {
      own.server.applySpaces(serverPlan(1, "ds-a"));
      beforePut.set(() -> own.server.applySpaces(serverPlan(2)));
      assertThat(put(late, "ds-a")).isEqualTo(Receipt.NOT_PLANNED);
      assertThat(below.usage().blobs()).isZero();
    }
  }

  private static BlobStore hooked(BlobStore store, Runnable beforePut) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("put")) {
            beforePut.run();
          }
          return method.invoke(store, arguments);
        };
    Class<?>[] types = {BlobStore.class};
    return (BlobStore) Proxy.newProxyInstance(BlobStore.class.getClassLoader(), types, handler);
  }

  @Test
  void othersMayBeKept() throws Exception {
    insert("ds-a");
    String plan =
        "{'version':1,'prefix':'ds-','keep_others':true,"
            + "'spaces':[{'name':'ds-b','quota_bytes':10}]}";
    assertThat(plan(plan).text()).contains("\"dropped\":[]");
    assertThat(put("ds-c")).isEqualTo(Receipt.STORED);
    assertThat(put("ds-b")).isEqualTo(Receipt.NO_ROOM);
  }

  @Test
  void prefixesHavePlansOfTheirOwn() throws Exception {
    insert("ds-a", "lru-a");
    plan("{'version':9,'prefix':'ds-','spaces':[]}");
    assertThat(names()).containsExactly("lru-a");
    assertThat(plan("{'version':1,'prefix':'lru-','spaces':[]}").status()).isEqualTo(200);
    assertThat(names()).isEmpty();
    Answer inside = plan("{'version':10,'prefix':'ds-1','spaces':[]}");
    assertThat(inside.status()).isEqualTo(400);
    assertThat(inside.text()).contains("overlaps");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "{",
        "{'spaces':[]}",
        "{'prefix':'ds-'}",
        "{'prefix':'','spaces':[]}",
        "{'prefix':'UP','spaces':[]}",
        "{'prefix':'ds-','spaces':[null]}",
        "{'prefix':'ds-','spaces':[{}]}",
        "{'prefix':'ds-','spaces':[{'name':'../x'}]}",
        "{'prefix':'ds-','spaces':[{'name':'other'}]}",
        "{'prefix':'ds-','spaces':[{'name':'ds-a'},{'name':'ds-a'}]}",
        "{'prefix':'ds-','spaces':[{'name':'ds-a','quota_bytes':-1}]}",
        "{'prefix':'ds-','version':-1,'spaces':[]}",
        "{'prefix':'ds-','version':'many','spaces':[]}",
      })
  void whatIsNoPlanIsRefusedAndChangesNothing(String body) throws Exception {
    insert("ds-a");
    Answer answer = plan(body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("\"error\"").contains("\"remedy\"");
    assertThat(names()).containsExactly("ds-a");
    assertThat(put("ds-b")).isEqualTo(Receipt.STORED);
  }

  @Test
  void aPlanBeyondTheLongestIsRefusedBeforeItIsRead() throws Exception {
    String head = TestClient.JSON + "Content-Length: " + (1L << 40) + "\r\n";
    assertThat(client.ask("POST /v1/spaces", head, new byte[0]).status()).isEqualTo(413);
  }

  @Test
  void whoRunsTheServerAppliesPlansWithoutHttp() throws Exception {
    insert("ds-a", "ds-b");
    SpacePlan first = new SpacePlan(4, "ds-", false, serverPlan(4, "ds-b", "ds-c").spaces());
    AppliedSpaces applied = server.server.applySpaces(first);
    assertThat(applied).isEqualTo(new AppliedSpaces(true, 4, List.of(new SpaceId("ds-a")), 1_000));
    List<SpaceOrder> bounded = List.of(new SpaceOrder(new SpaceId("ds-c"), KeeperKind.FIXED, 10));
    assertThat(server.server.applySpaces(new SpacePlan(3, "ds-", false, bounded)).accepted())
        .isFalse();
    assertThat(server.server.applySpaces(new SpacePlan(5, "ds-", false, bounded)).dropped())
        .containsExactly(new SpaceId("ds-b"));
    assertThat(put("ds-c")).isEqualTo(Receipt.NO_ROOM);
  }

  @Test
  void blobsThatBelongToAServerThatJoinedAreGivenUp() throws Exception {
    ClusterMember self = new ClusterMember("quiver", "http://a:1", 10);
    ClusterMember other = new ClusterMember("joined", "http://b:1", 10);
    server.server.applySpaces(serverPlan(1, List.of(self), "ds-a"));
    for (int i = 0; i < 100; i++) {
      insert("ds-a");
    }
    server.server.applySpaces(serverPlan(2, List.of(self), "ds-a"));
    assertThat(server.store.usage().blobs()).isEqualTo(100);
    server.server.applySpaces(serverPlan(3, List.of(self, other), "ds-a"));
    long kept = server.store.usage().blobs();
    assertThat(kept).isBetween(20L, 80L);
    for (int i = 0; i < 100; i++) {
      insert("ds-a"); // by a client that knows nothing of the other
    }
    assertThat(server.store.usage().blobs()).isEqualTo(kept + 100);
    server.server.applySpaces(serverPlan(4, List.of(self, other), "ds-a"));
    assertThat(server.store.usage().blobs()).isBetween(kept + 20, kept + 80);
    server.server.applySpaces(serverPlan(5, List.of(other), "ds-a"));
    assertThat(server.store.usage().blobs()).as("a plan that forgot it").isGreaterThan(kept);
  }

  private void insert(String... spaces) throws Exception {
    for (String space : spaces) {
      assertThat(put(space)).isEqualTo(Receipt.STORED);
    }
  }

  private Receipt put(String space) throws Exception {
    return put(client, space);
  }

  private Receipt put(TestClient through, String space) throws Exception {
    byte[] content = content();
    Offer offer = new Offer(ContentHash.ofContent(content), new SpaceId(space), content.length);
    return through.put(new OfferFrame(List.of(offer)), content).getFirst();
  }

  private byte[] content() {
    byte[] content = new byte[1_000];
    random.nextBytes(content);
    return content;
  }

  private Answer plan(String document) throws Exception {
    byte[] body = document.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return client.ask("POST /v1/spaces", TestClient.JSON, body);
  }

  private List<String> names() {
    return server.store.spaces().stream()
        .filter(usage -> usage.blobs() > 0)
        .map(SpaceUsage::space)
        .map(SpaceId::name)
        .toList();
  }

  private static ServerPlan serverPlan(long version, String... spaces) {
    return serverPlan(version, List.of(), spaces);
  }

  private static ServerPlan serverPlan(
      long version, List<ClusterMember> members, String... spaces) {
    List<SpaceOrder> orders =
        Arrays.stream(spaces).map(SpaceId::new).map(SpaceOrder::fixed).toList();
    return new ServerPlan(version, "ds-", members, orders);
  }
}
