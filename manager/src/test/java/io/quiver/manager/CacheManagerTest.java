package io.quiver.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.DoorPlan;
import io.quiver.core.plan.DoorSpaces;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.http.Exchange;
import io.quiver.protocol.control.ControlJson;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real manager behind its HTTP calls. */
final class CacheManagerTest {
  private static final DatasetKey KEY = new DatasetKey("0123456789abcdef");
  private static final int ITEMS = 1000;
  private static final ServerReport SERVER =
      new ServerReport("s0", "i", "http://localhost:1", 200_000, Map.of(), 0, false);

  /** Leases that outlast any pause of a busy machine. */
  static final ManagerConfig PATIENT =
      new ManagerConfig(
          ManagerConfig.DEFAULT.planner(),
          ManagerConfig.DEFAULT.budgetBytes(),
          Duration.ofMinutes(10),
          Duration.ofMinutes(10),
          ManagerConfig.DEFAULT.grace(),
          ManagerConfig.DEFAULT.preferences(),
          ManagerConfig.DEFAULT.tick());

  private final HttpClient http = HttpClient.newHttpClient();
  private CacheManager manager = CacheManager.start(PATIENT);
  private @Nullable ManagerServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        ManagerServer.start(
            ManagerServer.Listen.on("127.0.0.1", 0),
            manager,
            exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'{', '}'}));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
    manager.close();
    http.close();
  }

  private static JobReport report(String job, String instance, long sequence) {
    return JobReport.of(job, instance, KEY, ITEMS, 1_000_000, 4)
        .sequence(sequence)
        .times(0.001, 0)
        .build();
  }

  private HttpResponse<byte[]> call(String method, String path, byte[] body) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server().port() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  private ManagerServer server() {
    return java.util.Objects.requireNonNull(server);
  }

  private JobPlan beat(JobReport report) throws Exception {
    HttpResponse<byte[]> answer =
        call("POST", "/v1/jobs/" + report.job() + "/heartbeat", ControlJson.write(report));
    assertThat(answer.statusCode()).isEqualTo(200);
    return ControlJson.read(answer.body(), JobPlan.class);
  }

  private void beat(ServerReport report) throws Exception {
    HttpResponse<byte[]> answer =
        call("POST", "/v1/servers/" + report.server() + "/heartbeat", ControlJson.write(report));
    assertThat(answer.statusCode()).isEqualTo(200);
  }

  private static DatasetPlan dataset(JobPlan plan) {
    return java.util.Objects.requireNonNull(plan.dataset());
  }

  @Test
  void aJobIsToldWhatToLoadAndTheServerWhichSpacesToHave() throws Exception {
    beat(SERVER);
    JobPlan plan = beat(report("a", "1", 1));
    assertThat(plan.members()).hasSize(1);
    assertThat(dataset(plan).held()).isNotEmpty().allMatch(c -> c.role() == ChunkRole.PINNED);
    HttpResponse<byte[]> answer = call("GET", "/v1/servers/s0/plan?after=0&wait_ms=0", new byte[0]);
    ServerPlan spaces = ControlJson.read(answer.body(), ServerPlan.class);
    assertThat(spaces.spaces())
        .containsExactlyElementsOf(
            dataset(plan).held().stream()
                .map(chunk -> SpaceOrder.fixed(dataset(plan).space(chunk.chunk())))
                .toList());
  }

  @Test
  void aWaitingJobLearnsOfANewPlanAtOnce() throws Exception {
    beat(SERVER);
    JobPlan first = beat(report("a", "1", 1));
    String path = "/v1/jobs/a/plan?wait_ms=10000&after=" + first.version();
    CompletableFuture<HttpResponse<byte[]>> waiting =
        CompletableFuture.supplyAsync(() -> {
          try {
            return call("GET", path, new byte[0]);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    beat(report("b", "1", 1));
    JobPlan next = ControlJson.read(waiting.get(9, TimeUnit.SECONDS).body(), JobPlan.class);
    assertThat(next.version()).isGreaterThan(first.version());
  }

  @Test
  void aChunkFoundWholeBecomesActive() throws Exception {
    beat(SERVER);
    DatasetPlan plan = dataset(beat(report("a", "1", 1)));
    ChunkEntry loading = plan.held().getFirst();
    assertThat(loading.state()).isEqualTo(ChunkState.LOADING);
    JobReport found =
        JobReport.of("a", "1", KEY, ITEMS, 1_000_000, 4)
            .sequence(2)
            .remaining(Collections.nCopies(plan.chunks(), ITEMS / plan.chunks()))
            .loaded(List.of(new ChunkGeneration(loading.chunk(), loading.generation())))
            .times(0.001, 0)
            .following(1, plan)
            .build();
    DatasetPlan after = dataset(beat(found));
    assertThat(after.find(loading.chunk()).orElseThrow().state()).isEqualTo(ChunkState.ACTIVE);
  }

  @Test
  void theProcessesOfADistributedJobAreOneJob() throws Exception {
    beat(SERVER);
    beat(report("a.r0", "1", 1).copy().group("a").build());
    JobPlan plan = beat(report("a.r1", "1", 1).copy().group("a").build());
    assertThat(dataset(plan).ring()).isFalse();
    beat(report("b", "1", 1));
    assertThat(manager.plan().datasets().getFirst().ring()).as("with another job").isTrue();
    String jobs = new String(call("GET", "/v1/jobs", new byte[0]).body(), StandardCharsets.UTF_8);
    assertThat(jobs)
        .contains("\"job\":\"a\",\"members\":[\"a.r0\",\"a.r1\"]")
        .contains("\"job\":\"b\",\"members\":[\"b\"]");
  }

  @Test
  void aGroupOnTwoDataSetsIsRefused() throws Exception {
    beat(SERVER);
    beat(report("a.r0", "1", 1).copy().group("a").build());
    JobReport other =
        JobReport.of("a.r1", "1", new DatasetKey("fedcba9876543210"), ITEMS, 1_000_000, 4)
            .group("a")
            .build();
    HttpResponse<byte[]> answer = call("POST", "/v1/jobs/a.r1/heartbeat", ControlJson.write(other));
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("fedcba9876543210")
        .contains("another group");
    beat(report("a.r0", "1", 2).copy().group("a").build());
    beat(report("a.r1", "1", 2).copy().group("a").build());
  }

  @Test
  void twoJobsOfOneNameAreToldApart() throws Exception {
    beat(SERVER);
    beat(report("a", "1", 1));
    HttpResponse<byte[]> answer =
        call("POST", "/v1/jobs/a/heartbeat", ControlJson.write(report("a", "2", 1)));
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("another job named a")
        .contains("another name");
    beat(report("a", "1", 2));
  }

  @Test
  void anotherManagerGoesOnWithThePlanJobsFollow() throws Exception {
    beat(SERVER);
    beat(report("b", "1", 1));
    JobPlan old = beat(report("a", "1", 1));
    manager.close();
    server().close();
    manager = CacheManager.start(PATIENT);
    start();
    beat(SERVER);
    DatasetPlan held = dataset(old);
    for (String job : List.of("a", "b")) {
      JobReport following =
          JobReport.of(job, "1", KEY, ITEMS, 1_000_000, 4)
              .sequence(9)
              .remaining(Collections.nCopies(held.chunks(), 10))
              .times(0.001, 0)
              .following(old.version(), held)
              .build();
      HttpResponse<byte[]> answer =
          call("POST", "/v1/jobs/" + job + "/heartbeat", ControlJson.write(following));
      assertThat(answer.statusCode()).as("it listens first").isEqualTo(503);
    }
    HttpResponse<byte[]> answer =
        call("GET", "/v1/jobs/a/plan?wait_ms=10000&after=" + old.version(), new byte[0]);
    JobPlan next = ControlJson.read(answer.body(), JobPlan.class);
    assertThat(next.version()).isGreaterThan(old.version());
    assertThat(dataset(next).chunks()).isEqualTo(held.chunks());
    assertThat(dataset(next).held()).containsAll(held.held());
  }

  @Test
  void whatIsNoReportIsRefusedWithTheReason() throws Exception {
    assertThat(call("POST", "/v1/jobs/a/heartbeat", new byte[] {'{'}).statusCode()).isEqualTo(400);
    assertThat(
            call("POST", "/v1/jobs/b/heartbeat", ControlJson.write(report("a", "1", 1)))
                .statusCode())
        .isEqualTo(400);
    assertThat(call("GET", "/v1/jobs/nobody/plan", new byte[0]).statusCode()).isEqualTo(404);
    assertThat(call("GET", "/v1/jobs/a/plan?after=x", new byte[0]).statusCode()).isEqualTo(400);
    assertThat(call("DELETE", "/v1/jobs/a/plan", new byte[0]).statusCode()).isEqualTo(405);
    assertThat(call("GET", "/v1/plan/other", new byte[0]).statusCode()).isEqualTo(404);
    assertThat(call("GET", "/v1/plan", new byte[0]).statusCode()).isEqualTo(200);
  }

  @Test
  void aHeartbeatFromAnOlderPlanIsAnsweredWithTheNewest() throws Exception {
    beat(SERVER);
    JobPlan first = beat(report("a", "1", 1));
    beat(report("b", "1", 1));
    JobPlan newest = beat(report("a", "1", 2));
    assertThat(newest.version()).isGreaterThan(first.version());
    DatasetPlan old = dataset(first);
    JobReport stale =
        JobReport.of("a", "1", KEY, ITEMS, 1_000_000, 4)
            .sequence(3)
            .times(0.001, 0)
            .following(first.version(), old)
            .build();
    JobPlan answer = beat(stale);
    assertThat(answer.version()).isGreaterThanOrEqualTo(newest.version());
    assertThat(dataset(answer).chunks()).isEqualTo(dataset(newest).chunks());
    assertThat(dataset(answer).held()).containsAll(dataset(newest).held());
  }

  @Test
  void versionsGoOnAfterAClockWentBack() throws Exception {
    long ahead = manager.plan().version() + 1_000_000_000L;
    beat(
        new ServerReport(
            SERVER.server(),
            SERVER.instance(),
            SERVER.uri(),
            SERVER.usableBytes(),
            Map.of(),
            ahead,
            false));
    assertThat(beat(report("a", "1", 1)).version()).isGreaterThan(ahead);
  }

  @Test
  void aVersionFarAheadIsRefusedAndPlanningGoesOn() throws Exception {
    beat(SERVER);
    JobPlan first = beat(report("a", "1", 1));
    for (long ahead : new long[] {Long.MAX_VALUE - 1, 1L << 53, 1L << 44}) {
      JobReport far = report("b", "1", 1).copy().following(0, null).build();
      String json =
          new String(ControlJson.write(far), StandardCharsets.UTF_8)
              .replace("\"plan_version\":0", "\"plan_version\":" + ahead);
      HttpResponse<byte[]> answer =
          call("POST", "/v1/jobs/b/heartbeat", json.getBytes(StandardCharsets.UTF_8));
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8))
          .contains("plan_version")
          .contains(Long.toString(ahead));
    }
    assertThat(beat(report("b", "1", 2)).version())
        .isBetween(first.version() + 1, first.version() + 100);
  }

  @Test
  void whatTheManagerShowsIsNotEnoughToReportInAnothersName() throws Exception {
    beat(SERVER);
    beat(report("a", "secret-of-a", 1));
    for (String path : List.of("/v1/jobs", "/v1/servers", "/v1/cluster", "/v1/plan")) {
      String shown = new String(call("GET", path, new byte[0]).body(), StandardCharsets.UTF_8);
      assertThat(shown).doesNotContain("secret-of-a").doesNotContain("\"instance\":\"i\"");
    }
    String seen = manager.jobs().getFirst().instance();
    JobReport forged = report("a", seen, 1L << 40).copy().leaving(true).build();
    assertThat(call("POST", "/v1/jobs/a/heartbeat", ControlJson.write(forged)).statusCode())
        .isEqualTo(409);
    assertThat(manager.jobs()).singleElement().matches(job -> job.sequence() == 1);
    String known = manager.servers().getFirst().instance();
    for (boolean leaving : new boolean[] {true, false}) {
      ServerReport other =
          new ServerReport("s0", known, "http://elsewhere:1", 1L << 40, Map.of(), 0, leaving);
      assertThat(call("POST", "/v1/servers/s0/heartbeat", ControlJson.write(other)).statusCode())
          .isEqualTo(409);
    }
    assertThat(manager.servers()).singleElement().matches(each -> each.uri().equals(SERVER.uri()));
  }

  @Test
  void aJobThatCountsADataSetOtherwiseIsRefused() throws Exception {
    beat(SERVER);
    beat(report("b", "1", 1));
    JobReport other = JobReport.of("a", "1", KEY, ITEMS / 2, 1_000_000, 4).sequence(1).build();
    HttpResponse<byte[]> answer = call("POST", "/v1/jobs/a/heartbeat", ControlJson.write(other));
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("500 items");
    assertThat(dataset(beat(report("b", "1", 2))).items()).isEqualTo(ITEMS);
  }

  @Test
  void anOvertakenReportChangesNothing() throws Exception {
    beat(SERVER);
    beat(report("a", "1", 5));
    JobReport late = report("a", "1", 4);
    beat(late);
    assertThat(manager.jobs()).singleElement().matches(job -> job.sequence() == 5);
  }

  @Test
  void aClosedManagerAnswersNobody() {
    manager.close();
    assertThatThrownBy(() -> manager.report(SERVER)).isInstanceOf(Refused.class);
  }

  private static DoorReport door(String name, String instance, long sequence, boolean leaving) {
    return new DoorReport(name, instance, sequence, "", 0, 0, 0, 0, 0, 0, leaving);
  }

  private HttpResponse<byte[]> beatDoor(DoorReport report) throws Exception {
    return call("POST", "/v1/doors/" + report.door() + "/heartbeat", ControlJson.write(report));
  }

  private String shown(String path) throws Exception {
    return new String(call("GET", path, new byte[0]).body(), StandardCharsets.UTF_8);
  }

  @Test
  void doorsReportAndGetTheSpaceTheyShare() throws Exception {
    assertThat(call("GET", "/v1/doors/d/plan", new byte[0]).statusCode()).isEqualTo(404);
    assertThat(beatDoor(door("d", "one", 1, false)).statusCode()).isEqualTo(200);
    beat(SERVER);
    DoorPlan plan = ControlJson.read(beatDoor(door("d", "one", 2, false)).body(), DoorPlan.class);
    assertThat(plan.space()).isEqualTo(DoorSpaces.SHARED);
    assertThat(plan.members()).hasSize(1);
    assertThat(beatDoor(door("d", "two", 2, false)).statusCode()).isEqualTo(409);
    assertThat(shown("/v1/doors")).contains("\"door\":\"d\"").doesNotContain("\"one\"");
    assertThat(shown("/v1/plan/review"))
        .contains("\"stream\":\"doors\"")
        .contains("\"space\":\"ds-doors\"");
    assertThat(beatDoor(door("d", "one", 3, true)).statusCode()).isEqualTo(200);
    assertThat(manager.doors()).isEmpty();
    assertThat(beatDoor(door("d", "two", 1, false)).statusCode()).isEqualTo(200);
  }

  @Test
  void aDoorWaitsForTheNextPlan() throws Exception {
    assertThat(beatDoor(door("d", "one", 1, false)).statusCode()).isEqualTo(200);
    String path = "/v1/doors/d/plan?wait_ms=10000&after=" + manager.plan().version();
    CompletableFuture<HttpResponse<byte[]>> waiting =
        CompletableFuture.supplyAsync(() -> {
          try {
            return call("GET", path, new byte[0]);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    long version = manager.plan().version();
    beat(SERVER);
    DoorPlan plan = ControlJson.read(waiting.get(20, TimeUnit.SECONDS).body(), DoorPlan.class);
    assertThat(plan.version()).isGreaterThan(version);
  }
}
