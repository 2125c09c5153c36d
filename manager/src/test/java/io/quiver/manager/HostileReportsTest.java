package io.quiver.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.ScoreOffer;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.Timing;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamWindow;
import io.quiver.http.ClientCredentials;
import io.quiver.http.ControlClient;
import io.quiver.http.Exchange;
import io.quiver.protocol.control.ControlJson;
import io.quiver.testkit.HostileDocuments;
import io.quiver.testkit.HostileDocuments.Hostile;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A running manager refuses every bad value of every document and goes on for everybody else. */
final class HostileReportsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final DatasetKey KEY = new DatasetKey("0123456789abcdef");
  private static final int ITEMS = 1000;
  private static final int CHUNKS = 10;
  private static final DatasetPlan HELD =
      new DatasetPlan(
          KEY,
          ITEMS,
          1_000_000,
          CHUNKS,
          true,
          List.of(new ChunkEntry(3, 7, ChunkRole.ROTATING, ChunkState.ACTIVE)));
  private static final ScoreOffer OFFER =
      new ScoreOffer("sweep", "hostile", 3, ContentHash.ofContent(new byte[] {1}), true);
  private static final Timing TIMING = new Timing(0.002, 40, 2.5);

  private CacheManager manager;
  private ManagerServer server;
  private ControlClient client;
  private long sequence;
  private int attacks;

  @BeforeEach
  void start() throws Exception {
    manager = CacheManager.start(CacheManagerTest.PATIENT);
    server =
        ManagerServer.start(
            ManagerServer.Listen.on("127.0.0.1", 0),
            manager,
            exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'{', '}'}));
    URI uri = URI.create("http://127.0.0.1:" + server.port());
    client = new ControlClient(List.of(uri), ClientCredentials.NONE, BOUND);
    requireHonestReportsAreTaken();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    manager.close();
  }

  private static JobReport.Builder job(String name) {
    return JobReport.of(name, "instance-of-" + name, KEY, ITEMS, 1_000_000, 4)
        .epoch(1, false)
        .remaining(Collections.nCopies(CHUNKS, 50))
        .loaded(List.of(new ChunkGeneration(3, 7)))
        .times(0.001, 0.5)
        .traits(new JobTraits("alice", 8, "0123456789ab"))
        .speeds(new JobSpeeds(TIMING, TIMING, TIMING, 0.25, 9000, 64, 12_000, 24, 7));
  }

  private static ServerReport server(String name) {
    Map<String, Long> spaces = Map.of("ds-0123456789abcdef.10.3", 7L);
    return new ServerReport(
        name, "instance-of-" + name, "http://localhost:1", 200_000, spaces, 1, false);
  }

  private ControlClient.Answer post(String path, byte[] json) throws Exception {
    return client.post(path, json, BOUND);
  }

  /** Sends what an honest server and an honest job send; both must get a plan for it. */
  private void requireHonestReportsAreTaken() throws Exception {
    byte[] fromServer = ControlJson.write(server("honest"));
    assertThat(post("/v1/servers/honest/heartbeat", fromServer).status()).isEqualTo(200);
    byte[] fromJob = ControlJson.write(job("honest").sequence(++sequence).build());
    ControlClient.Answer answer = post("/v1/jobs/honest/heartbeat", fromJob);
    String plan = new String(answer.body(), StandardCharsets.UTF_8);
    assertThat(answer.status()).as(plan).isEqualTo(200);
    assertThat(plan).contains("\"honest\"").contains("\"dataset\":{");
  }

  /**
   * Sends every hostile copy of a document.
   *
   * @param allowed the attacks that make another honest document
   */
  private void attack(String path, Object honest, Set<String> allowed) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Hostile each : HostileDocuments.of(ControlJson.write(honest))) {
      ControlClient.Answer answer = post(path, each.json().getBytes(StandardCharsets.UTF_8));
      String text = new String(answer.body(), StandardCharsets.UTF_8);
      boolean refused =
          each.json().length() > ControlJson.MAX_BYTES
              ? answer.status() == 413
              : answer.status() == 400 && text.contains(each.field()) && text.length() < 1000;
      boolean taken = answer.status() == 200 || answer.status() == 409;
      if (allowed.contains(each.name()) ? !taken : !refused) {
        wrong.add(each.name() + ": " + answer.status() + " " + text);
      }
      if (taken || ++attacks % 10 == 0) {
        requireHonestReportsAreTaken();
      }
    }
    requireHonestReportsAreTaken();
    assertThat(wrong).isEmpty();
  }

  @Test
  void jobReports() throws Exception {
    attack(
        "/v1/jobs/hostile/heartbeat",
        job("hostile")
            .group("hostiles")
            .sequence(1)
            .following(42, HELD)
            .unread(Collections.nCopies(17, 0.5))
            .scores(List.of(OFFER))
            .build(),
        Set.of(
            "unread null",
            "unread.0 tiny",
            "scores null",
            "scores.0.column null",
            "group null",
            "group empty",
            "items most-int",
            "held null",
            "traits null",
            "traits.user null",
            "traits.user empty",
            "traits.user other-scheme",
            "traits.store null",
            "traits.store empty",
            "traits.store other-scheme",
            "speeds null",
            "speeds.hit null",
            "speeds.shared null",
            "speeds.miss null",
            "speeds.to_come negative",
            // Whole numbers of 64 bits, of which this is not much.
            "sequence most-int",
            "bytes most-int",
            "loaded.0.generation most-int",
            "plan_version most-int",
            "held.items most-int",
            "held.bytes most-int",
            "held.held.0.generation most-int",
            "speeds.batches most-int",
            "speeds.to_come most-int",
            "speeds.last_probe most-int",
            // Times that nobody divides by.
            "idle_seconds tiny",
            "speeds.hit.age_seconds tiny",
            "speeds.shared.age_seconds tiny",
            "speeds.miss.age_seconds tiny",
            "speeds.stall tiny"));
  }

  @Test
  void serverReports() throws Exception {
    String space = "ds-stream.0123456789abcdef";
    KeeperCounts counts = new KeeperCounts(5_000, 40.5, List.of(1.5, 2.5));
    attack(
        "/v1/servers/hostile/heartbeat",
        new ServerReport(
            "hostile",
            "instance",
            "http://localhost:1",
            200_000,
            Map.of(space, 7L),
            1,
            false,
            Map.of(space, counts)),
        Set.of(
            "usable_bytes most-int",
            "spaces." + space + " most-int",
            "plan_version most-int",
            "keepers null",
            "keepers." + space + ".used_bytes most-int",
            // Counts that nobody divides by.
            "keepers." + space + ".misses tiny",
            "keepers." + space + ".ghost_hits.0 tiny"));
  }

  private static StreamSummary stream() {
    StreamWindow window =
        new StreamWindow(
            StreamWindow.Indexing.LISTED, 500, new int[] {7}, new int[] {2}, new int[] {900});
    return new StreamSummary(
        "0123456789abcdef",
        "s3://bucket/train",
        new Recognition(AccessPattern.RANDOM, Recognition.Evidence.GAPS, 0.125, 0.25, 100),
        7,
        5_000,
        1_000_000,
        2,
        12.5,
        0.25,
        0.001,
        0.03,
        1.5,
        80.5,
        20.5,
        4_096,
        40,
        30,
        window,
        "0123456789abcdef");
  }

  @Test
  void doorReports() throws Exception {
    attack(
        "/v1/doors/hostile/heartbeat",
        new DoorReport("hostile", "instance", 1, "alice", 5_000, 12.5, 0.25, 0.001, 0.03, 1, false)
            .withStreams(List.of(stream())),
        Set.of(
            "user null",
            "user empty",
            "user other-scheme",
            "sequence most-int",
            "bytes most-int",
            "plan_version most-int",
            // Rates and shares that nobody divides by.
            "reads_per_second tiny",
            "store_share tiny",
            "streams null",
            "streams.0.label null",
            "streams.0.label empty",
            "streams.0.label other-scheme",
            "streams.0.recognition.statistic negative",
            "streams.0.recognition.statistic tiny",
            "streams.0.recognition.threshold negative",
            "streams.0.recognition.threshold tiny",
            "streams.0.recognition.records most-int",
            "streams.0.windows most-int",
            "streams.0.items most-int",
            "streams.0.bytes most-int",
            "streams.0.readers most-int",
            "streams.0.reads_per_second tiny",
            "streams.0.store_share tiny",
            "streams.0.idle_seconds tiny",
            "streams.0.lease_seconds tiny",
            "streams.0.quiet_seconds tiny",
            "streams.0.follow_bytes most-int",
            "streams.0.advised most-int",
            "streams.0.used most-int",
            "streams.0.window null",
            "streams.0.window.population most-int",
            "streams.0.window.indices.0 most-int",
            "streams.0.window.readers.0 most-int",
            "streams.0.window.ages_millis.0 most-int",
            "streams.0.dataset null"));
  }

  @Test
  void preferencesOfPaths() throws Exception {
    attack(
        "/v1/paths/preference",
        new PathPreferenceChange("s3://bucket/train", CachePreference.PIN, 3600.5),
        Set.of("preference null", "ttl_seconds null", "ttl_seconds negative", "ttl_seconds tiny"));
  }

  @Test
  void preferences() throws Exception {
    attack(
        "/v1/datasets/" + KEY + "/preference",
        new DatasetPreference(CachePreference.PIN, 5L),
        Set.of(
            "preference null", "quota_bytes null", "quota_bytes negative", "quota_bytes most-int"));
    attack(
        "/v1/users/alice/quota",
        new UserQuota(5),
        Set.of("quota_bytes negative", "quota_bytes most-int"));
  }
}
