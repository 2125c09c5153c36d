package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.space.SpaceId;
import io.quiver.http.AccessControl;
import io.quiver.http.Role;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.BindFrame;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ReceiptFrame;
import io.quiver.protocol.ResolveFrame;
import io.quiver.protocol.ResolvedFrame;
import io.quiver.protocol.ResolvedFrame.Row;
import io.quiver.protocol.Wire;
import io.quiver.server.TestClient.Answer;
import io.quiver.server.plan.SpacePlan;
import io.quiver.store.BlobStore;
import io.quiver.store.memory.MemoryBlobStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls for names: bindings, questions, claims, roles, spaces under keepers, hostile frames. */
class NameCallsTest {
  private static final SpaceId SPACE = new SpaceId("stream-1");
  private static final SpaceId KEPT = new SpaceId("ds-stream");

  @TempDir Path folder;
  private TestServer server;
  private TestClient client;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer();
    client = server.client();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.assertHealthyAndEmpty();
    server.close();
  }

  @Test
  void whatIsBoundIsResolvedInTheOrderAsked() throws Exception {
    assertThat(bind(SPACE, binding(1), binding(2))).containsOnly(Receipt.STORED);
    assertThat(bind(SPACE, binding(2))).containsOnly(Receipt.ALREADY_HERE);
    assertThat(rows("", false, 2, 3, 1, 2))
        .containsExactly(
            Row.bound(binding(2)),
            Row.unbound(AskStatus.MISS),
            Row.bound(binding(1)),
            Row.bound(binding(2)));
    assertThat(server.metricsText())
        .contains("quiver_names_asked_total 4")
        .contains("quiver_name_hits_total 3")
        .contains("quiver_names_bound_total 3")
        .contains("quiver_store_names 2")
        .contains("quiver_requests_total{endpoint=\"resolve\",code=\"2xx\"} 1")
        .contains("quiver_requests_total{endpoint=\"bind\",code=\"2xx\"} 2");
  }

  @Test
  void theLastBindingOfOneCallCounts() throws Exception {
    NameBinding other = new NameBinding(binding(1).name(), binding(9).hash(), 3);
    assertThat(bind(SPACE, binding(1), other)).containsOnly(Receipt.STORED);
    assertThat(rows("", false, 1)).containsExactly(Row.bound(other));
  }

  @Test
  void namesAreClaimedRenewedAndResolvedByABinding() throws Exception {
    Answer granted = resolve("door-1", true, 1, 2);
    assertThat(granted.field(Wire.CLAIM_LEASE_HEADER)).isNotEmpty();
    assertThat(rows(granted, 1, 2)).containsOnly(Row.unbound(AskStatus.YOURS));
    Answer waiting = resolve("door-2", true, 1);
    assertThat(waiting.fields()).doesNotContainKey("quiver-claim-lease-ms");
    assertThat(rows(waiting, 1)).containsExactly(Row.unbound(AskStatus.PENDING));
    assertThat(rows("door-1", true, 1)).containsExactly(Row.unbound(AskStatus.YOURS));
    assertThat(server.gauge("quiver_claims")).isEqualTo(2);
    bind(SPACE, binding(1));
    assertThat(server.gauge("quiver_claims")).isEqualTo(1);
    assertThat(rows("door-2", true, 1, 2))
        .containsExactly(Row.bound(binding(1)), Row.unbound(AskStatus.PENDING));
    assertThat(server.metricsText())
        .contains("quiver_claims_granted_total 3")
        .contains("quiver_claims_pending_total 2");
  }

  @Test
  void aClaimThatLapsesGoesToTheNextDoor() throws Exception {
    assertThat(rows("door-1", true, 1)).containsExactly(Row.unbound(AskStatus.YOURS));
    server.skewNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    try (TestClient next = server.client()) {
      ResolveFrame ask = new ResolveFrame(List.of(binding(1).name()), true);
      Answer answer = next.ask("POST " + Wire.RESOLVE_PATH, job("door-2"), bytes(ask));
      assertThat(rows(answer, 1)).containsExactly(Row.unbound(AskStatus.YOURS));
    }
  }

  @Test
  void aBindingThatIsRefusedEndsTheClaimToo() throws Exception {
    rows("door-1", true, 1);
    server.store.limit(SPACE, 1);
    assertThat(bind(SPACE, binding(1))).containsOnly(Receipt.NO_ROOM);
    assertThat(rows("door-2", true, 1)).containsExactly(Row.unbound(AskStatus.YOURS));
    assertThat(server.metricsText()).contains("quiver_names_refused_total 1");
  }

  @Test
  void aClaimNeedsAJob() throws Exception {
    Answer answer = resolve("", true, 1);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains(Wire.JOB_HEADER);
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void onlyDoorsResolveAndBind(Role role) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (Role each : Role.values()) {
      lines.append(
          "token-of-somebody-who-is-a-" + each.label() + " " + each.label() + " somebody\n");
    }
    Path tokens = Files.writeString(folder.resolve("tokens"), lines);
    String fields =
        "Authorization: Bearer token-of-somebody-who-is-a-"
            + role.label()
            + "\r\n"
            + job("somebody");
    int status = role == Role.DOOR || role == Role.OPERATOR ? 200 : 403;
    byte[] bind = bytes(new BindFrame(SPACE, List.of(binding(1))));
    byte[] ask = bytes(new ResolveFrame(names(1), true));
    AccessControl access = AccessControl.of(tokens);
    try (TestServer guarded = new TestServer(config -> config.withAccess(access))) {
      assertThat(once(guarded, "PUT " + Wire.NAMES_PATH, fields, bind)).isEqualTo(status);
      assertThat(once(guarded, "POST " + Wire.RESOLVE_PATH, fields, ask)).isEqualTo(status);
      assertThat(once(guarded, "PUT " + Wire.NAMES_PATH, job("somebody"), bind)).isEqualTo(401);
      assertThat(once(guarded, "POST " + Wire.RESOLVE_PATH, "", ask)).isEqualTo(401);
      assertThat(guarded.store.usage().names()).isEqualTo(status == 200 ? 1 : 0);
    }
  }

  /** Makes a call on a connection of its own and returns the status. */
  private static int once(TestServer server, String call, String fields, byte[] body)
      throws IOException {
    try (TestClient own = server.client()) {
      return own.ask(call, fields, body).status();
    }
  }

  @Test
  void framesThatAreNoneAreRefusedWithTheReasonAndTheConnectionGoesOn() throws Exception {
    byte[] right = bytes(new ResolveFrame(List.of(binding(1).name()), false));
    byte[] flags = right.clone();
    flags[4] = 2;
    byte[] bind = bytes(new BindFrame(SPACE, List.of(binding(1))));
    byte[] negative = bind.clone();
    Arrays.fill(negative, negative.length - 8, negative.length, (byte) 0xff);
    byte[] strange = bind.clone();
    strange[17] = '/';
    for (byte[] frame : List.of(new byte[0], new byte[15], flags, Arrays.copyOf(right, 40), bind)) {
      Answer answer = client.ask("POST " + Wire.RESOLVE_PATH, "", frame);
      assertThat(answer.status()).as(answer.text()).isEqualTo(400);
      assertThat(answer.text()).contains("wire contract");
    }
    for (byte[] frame : List.of(right, negative, strange, Arrays.copyOf(bind, 50))) {
      Answer answer = client.ask("PUT " + Wire.NAMES_PATH, "", frame);
      assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    }
    assertThat(server.store.usage().names()).isZero();
    assertThat(rows("", false, 1)).containsExactly(Row.unbound(AskStatus.MISS));
  }

  @Test
  void bodiesLongerThanAnyFrameAreRefusedUnread() throws Exception {
    String length = "Content-Length: " + (BindFrame.MAX_BYTES + 1) + "\r\n\r\n";
    client.send("PUT " + Wire.NAMES_PATH + " HTTP/1.1\r\nHost: t\r\n" + length);
    assertThat(client.answer().status()).isEqualTo(413);
  }

  @Test
  void randomBytesNeverBreakTheCalls() throws Exception {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    Random random = new Random(seed);
    byte[] resolve = bytes(new ResolveFrame(names(1, 2, 3), true));
    byte[] bind = bytes(new BindFrame(SPACE, List.of(binding(1), binding(2))));
    for (int round = 0; round < 2000; round++) {
      boolean asks = random.nextBoolean();
      byte[] frame = (asks ? resolve : bind).clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        frame[random.nextInt(random.nextBoolean() ? 20 : frame.length)] = (byte) random.nextInt();
      }
      String call = asks ? "POST " + Wire.RESOLVE_PATH : "PUT " + Wire.NAMES_PATH;
      Answer answer = client.ask(call, job("fuzz"), frame);
      assertThat(answer.status()).as("seed %d, round %d", seed, round).isIn(200, 400);
    }
    assertThat(server.metricsText()).doesNotContain("code=\"5xx\"");
  }

  @Test
  void aFullFrameOfNamesIsAnsweredWhole() throws Exception {
    int[] numbers = IntStream.range(0, Wire.MAX_BATCH).toArray();
    List<NameBinding> bindings = Arrays.stream(numbers).mapToObj(NameCallsTest::binding).toList();
    Answer bound = client.ask("PUT " + Wire.NAMES_PATH, "", bytes(new BindFrame(SPACE, bindings)));
    assertThat(ReceiptFrame.parse(ByteBuffer.wrap(bound.body()), Wire.MAX_BATCH).receipts())
        .containsOnly(Receipt.STORED);
    assertThat(rows("", false, numbers)).isEqualTo(bindings.stream().map(Row::bound).toList());
  }

  @Test
  void namesGoToPlannedSpacesOnlyAndWithThem() throws Exception {
    plan(1, SpaceOrder.fixed(KEPT));
    assertThat(bind(new SpaceId("ds-other"), binding(1))).containsOnly(Receipt.NOT_PLANNED);
    assertThat(bind(KEPT, binding(2))).containsOnly(Receipt.STORED);
    assertThat(rows("", false, 1, 2))
        .containsExactly(Row.unbound(AskStatus.MISS), Row.bound(binding(2)));
    plan(2, SpaceOrder.fixed(new SpaceId("ds-other")));
    assertThat(rows("", false, 2)).containsExactly(Row.unbound(AskStatus.MISS));
  }

  @ParameterizedTest
  @EnumSource(
      value = KeeperKind.class,
      names = {"RECENT", "FIFO3"})
  void aKeeperEvictsNamesThatNobodyAsksForAndKeepsThoseThatAre(KeeperKind kind) throws Exception {
    int fits = 200;
    plan(1, new SpaceOrder(KEPT, kind, fits * BlobStore.NAME_BYTES));
    bind(KEPT, binding(0));
    for (int i = 1; i < 20 * fits; i++) {
      bind(KEPT, binding(i));
      if (i % 20 == 0) {
        rows("", false, 0);
      }
    }
    assertThat(server.store.usage().names()).isBetween(fits / 2L, (long) fits);
    assertThat(rows("", false, 0)).as("asked for").containsExactly(Row.bound(binding(0)));
    assertThat(rows("", false, 1)).as("not").containsExactly(Row.unbound(AskStatus.MISS));
  }

  @Test
  void aSpaceOfNamesIsSeededWhenItsOrderComesLate() throws Exception {
    for (int i = 0; i < 100; i++) {
      bind(KEPT, binding(i));
    }
    plan(1, new SpaceOrder(KEPT, KeeperKind.RECENT, 50 * BlobStore.NAME_BYTES));
    assertThat(server.store.usage().names()).isEqualTo(50);
    assertThat(rows("", false, 99)).containsExactly(Row.bound(binding(99)));
  }

  @Test
  void namesOfSlotsThatAnotherServerTakesAreGivenUpWithTheirFixedSpace() throws Exception {
    try (TestServer first =
            new TestServer(new MemoryBlobStore(1 << 20, 1000), config -> config.withName("one"));
        TestClient door = first.client()) {
      List<NameBinding> bindings =
          IntStream.range(0, 500).mapToObj(NameCallsTest::binding).toList();
      door.ask("PUT " + Wire.NAMES_PATH, "", bytes(new BindFrame(KEPT, bindings)));
      List<SpaceOrder> orders = List.of(SpaceOrder.fixed(KEPT));
      List<ClusterMember> both = List.of(member("one"), member("two"));
      first.server.applySpaces(new ServerPlan(1, "ds-", List.of(member("one")), orders));
      assertThat(first.store.usage().names()).isEqualTo(500);
      first.server.applySpaces(new ServerPlan(2, "ds-", both, orders));
      assertThat(first.store.usage().names()).isBetween(150L, 350L);
    }
  }

  private static ClusterMember member(String name) {
    return new ClusterMember(name, "http://" + name + ":1", 10);
  }

  private void plan(long version, SpaceOrder order) {
    server.server.applySpaces(new SpacePlan(version, "ds-", false, List.of(order)));
  }

  private List<Receipt> bind(SpaceId space, NameBinding... bindings) throws Exception {
    byte[] frame = bytes(new BindFrame(space, List.of(bindings)));
    Answer answer = client.ask("PUT " + Wire.NAMES_PATH, "", frame);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return ReceiptFrame.parse(ByteBuffer.wrap(answer.body()), bindings.length).receipts();
  }

  private Answer resolve(String job, boolean claim, int... numbers) throws Exception {
    byte[] frame = bytes(new ResolveFrame(names(numbers), claim));
    return client.ask("POST " + Wire.RESOLVE_PATH, job.isEmpty() ? "" : job(job), frame);
  }

  private List<Row> rows(String job, boolean claim, int... numbers) throws Exception {
    return rows(resolve(job, claim, numbers), numbers);
  }

  private static List<Row> rows(Answer answer, int... numbers) throws Exception {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return ResolvedFrame.parse(ByteBuffer.wrap(answer.body()), names(numbers)).rows();
  }

  private static String job(String name) {
    return Wire.JOB_HEADER + ": " + name + "\r\n";
  }

  private static List<BlockName> names(int... numbers) {
    List<BlockName> names = new ArrayList<>();
    for (int number : numbers) {
      names.add(binding(number).name());
    }
    return names;
  }

  private static NameBinding binding(int number) {
    return new NameBinding(new BlockName(hash("name " + number)), hash("blob " + number), number);
  }

  private static ContentHash hash(String text) {
    return ContentHash.ofContent(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] bytes(ResolveFrame frame) {
    ByteBuffer target = ByteBuffer.allocate(frame.bytes());
    frame.write(target);
    return target.array();
  }

  private static byte[] bytes(BindFrame frame) {
    ByteBuffer target = ByteBuffer.allocate(frame.bytes());
    frame.write(target);
    return target.array();
  }
}
