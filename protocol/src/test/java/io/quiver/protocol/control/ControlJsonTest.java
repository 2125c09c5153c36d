package io.quiver.protocol.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.order.RingRole;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.DoorPlan;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.probe.Probe;
import io.quiver.core.plan.probe.SupplyMode;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.PathPreference;
import io.quiver.core.plan.report.ScoreBoard;
import io.quiver.core.plan.report.ScoreOffer;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.Timing;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.core.stream.StreamWindow;
import io.quiver.testkit.HostileDocuments;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ControlJsonTest {
  private static final DatasetKey KEY = new DatasetKey("0123456789abcdef");
  private static final DatasetPlan DATASET =
      new DatasetPlan(
          KEY,
          1000,
          5_000_000_000L,
          4,
          true,
          List.of(
              new ChunkEntry(0, 7, ChunkRole.PINNED, ChunkState.ACTIVE),
              new ChunkEntry(2, 9, ChunkRole.ROTATING, ChunkState.LOADING)));
  private static final ScoreOffer OFFER =
      new ScoreOffer("sweep", "sweep-1", 3, ContentHash.ofContent(new byte[] {1}), true);
  private static final ScoreBoard BOARD = new ScoreBoard(new SpaceId("ds-scores"), List.of(OFFER));
  private static final JobReport REPORT =
      JobReport.of("sweep-1", "a1", KEY, 1000, 5_000_000_000L, 64)
          .sequence(3)
          .epoch(1, false)
          .remaining(List.of(0, 250, 10, 250))
          .loaded(List.of(new ChunkGeneration(0, 7)))
          .times(0.001, 0)
          .following(42, DATASET)
          .warming(true)
          .scores(List.of(OFFER, new ScoreOffer("@run.news", "run.r1", 0, null, false)))
          .traits(new JobTraits("alice", 8, "0123456789ab"))
          .speeds(
              new JobSpeeds(
                  new Timing(0.001, 40, 2.5),
                  Timing.NONE,
                  new Timing(0.004, 64, 40),
                  0.25,
                  9000,
                  64,
                  12_000,
                  24,
                  7))
          .build();

  private static final DoorReport DOOR =
      new DoorReport("door-1", "i1", 4, "alice", 5_000, 12.5, 0.25, 0.001, 0.03, 41, false);
  private static final DoorPlan DOOR_PLAN =
      new DoorPlan(
          42,
          List.of(new ClusterMember("a", "http://h:1", 2)),
          new SpaceId("ds-doors"),
          List.of(
              new StreamVerdict(
                  "0123456789abcdef",
                  AccessPattern.SKEWED,
                  new SpaceId("ds-stream.0123456789abcdef"),
                  1L << 30),
              new StreamVerdict("fedcba9876543210", AccessPattern.SEQUENTIAL, null, 0)),
          List.of(DATASET));

  @Test
  void everyDocumentComesBackAsItWas() throws Exception {
    Object[] documents = {
      REPORT,
      new JobPlan(42, List.of(new ClusterMember("a", "http://h:1", 2)), DATASET, RingRole.FOLLOWER),
      new JobPlan(1, List.of(), null, RingRole.LEADER),
      new JobPlan(
          2,
          List.of(),
          null,
          RingRole.LEADER,
          new SpaceId("ds-lru"),
          new Probe(7, SupplyMode.MISS, 100),
          BOARD),
      CachePreferences.NONE
          .with(KEY, CachePreference.PIN)
          .withQuota(KEY, 5L)
          .withUserQuota("alice", 1L << 40)
          .withPath("s3://b/train", new PathPreference(CachePreference.PIN, null))
          .withPath("s3://b/tmp", new PathPreference(CachePreference.AUTO, 600.5)),
      new ServerReport("a", "i", "http://h:1", 10, Map.of("ds-x", 7L), 41, false),
      new ServerReport(
          "a",
          "i",
          "http://h:1",
          10,
          Map.of("ds-stream.0123456789abcdef", 7L),
          41,
          false,
          Map.of(
              "ds-stream.0123456789abcdef", new KeeperCounts(7, 40.25, List.of(3.5, 0.0, 1.25)))),
      DOOR.withStreams(List.of(stream(null))),
      DOOR_PLAN,
      new DoorPlan(1, List.of(), null, List.of(), List.of()),
      new ServerPlan(
          42,
          DatasetKey.SPACE_PREFIX,
          List.of(new ClusterMember("a", "http://h:1", 2)),
          List.of(
              SpaceOrder.fixed(new SpaceId("ds-x")),
              new SpaceOrder(new SpaceId("ds-y"), KeeperKind.RANKED, 1L << 40, List.of("job"))))
    };
    for (Object document : documents) {
      Object back = ControlJson.read(ControlJson.write(document), document.getClass());
      assertThat(back).isEqualTo(document);
    }
  }

  private static StreamSummary stream(@Nullable StreamWindow window) {
    return new StreamSummary(
        "0123456789abcdef",
        "s3://b/train",
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
        KEY.text());
  }

  @Test
  void theReadsOfAStreamComeBackAsTheyWere() throws Exception {
    StreamWindow window =
        new StreamWindow(
            StreamWindow.Indexing.NAMED,
            500,
            new int[] {7, 0, 499},
            new int[] {0, 1, 0},
            new int[] {900, 500, 0});
    DoorReport report = DOOR.withStreams(List.of(stream(window), stream(null)));
    DoorReport back = ControlJson.read(ControlJson.write(report), DoorReport.class);
    assertThat(back).usingRecursiveComparison().isEqualTo(report);
  }

  @Test
  void readsThatDoNotFitTogetherAreRefused() {
    String json =
        new String(
            ControlJson.write(
                DOOR.withStreams(
                    List.of(
                        stream(
                            new StreamWindow(
                                StreamWindow.Indexing.LISTED,
                                500,
                                new int[] {7},
                                new int[] {2},
                                new int[] {900}))))),
            StandardCharsets.UTF_8);
    String hundreds = "[" + "7,".repeat(StreamWindow.MOST_SENT) + "7]";
    for (String bad :
        List.of(
            json.replace("\"readers\":[2]", "\"readers\":[2,3]"),
            json.replace("\"ages_millis\":[900]", "\"ages_millis\":[]"),
            json.replace("\"indices\":[7]", "\"indices\":" + hundreds)
                .replace("\"readers\":[2]", "\"readers\":" + hundreds)
                .replace("\"ages_millis\":[900]", "\"ages_millis\":" + hundreds),
            json.replace("\"indexing\":\"LISTED\"", "\"indexing\":\"OTHER\""))) {
      assertThatThrownBy(
              () -> ControlJson.read(bad.getBytes(StandardCharsets.UTF_8), DoorReport.class))
          .as(bad)
          .isInstanceOf(MalformedDocument.class);
    }
  }

  /** Returns the attacks on a plan that its reader takes, or refuses without naming the field. */
  private static List<String> survivors(Object plan) throws Exception {
    List<String> taken = new ArrayList<>();
    for (HostileDocuments.Hostile each : HostileDocuments.of(ControlJson.write(plan))) {
      try {
        Object _ = ControlJson.read(each.json().getBytes(StandardCharsets.UTF_8), plan.getClass());
        taken.add(each.name());
      } catch (MalformedDocument e) {
        // Of a document that is too long nothing is read.
        if (each.json().length() <= ControlJson.MAX_BYTES && !e.toString().contains(each.field())) {
          taken.add(each.name() + ": " + e);
        }
      }
    }
    return taken;
  }

  @Test
  void everyValueOfAPlanIsBounded() throws Exception {
    List<ClusterMember> members = List.of(new ClusterMember("a", "http://h:1", 2));
    assertThat(
            survivors(
                new JobPlan(
                    2,
                    members,
                    DATASET,
                    RingRole.LEADER,
                    new SpaceId("ds-lru"),
                    new Probe(7, SupplyMode.MISS, 100),
                    BOARD)))
        .containsExactlyInAnyOrder(
            "version most-int",
            "dataset null",
            "dataset.items most-int",
            "dataset.bytes most-int",
            "dataset.held.0.generation most-int",
            "shared null",
            "probe null",
            "probe.id most-int",
            "scores null",
            "scores.columns.0.column null");
    SpaceOrder order =
        new SpaceOrder(new SpaceId("ds-y"), KeeperKind.RANKED, 1L << 40, List.of("job"));
    assertThat(survivors(new ServerPlan(42, DatasetKey.SPACE_PREFIX, members, List.of(order))))
        .containsExactlyInAnyOrder(
            "version most-int", "spaces.0.quota_bytes most-int", "spaces.0.jobs null");
    assertThat(survivors(DOOR_PLAN))
        .containsExactlyInAnyOrder(
            "version most-int",
            "space null",
            "streams null",
            "streams.0.space null",
            "streams.0.quota_bytes most-int",
            "datasets null",
            "datasets.0.items most-int",
            "datasets.0.bytes most-int",
            "datasets.0.held.0.generation most-int");
  }

  @Test
  void namesAreInSnakeCaseAndKeysAreText() {
    String json = new String(ControlJson.write(REPORT), StandardCharsets.UTF_8);
    assertThat(json)
        .contains("\"item_seconds\":0.001")
        .contains("\"dataset\":\"0123456789abcdef\"")
        .contains("\"plan_version\":42");
  }

  @Test
  void documentsOfOlderPartsGetDefaults() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode report = (ObjectNode) mapper.readTree(ControlJson.write(REPORT));
    report.remove(List.of("traits", "speeds", "scores"));
    JobReport old = ControlJson.read(mapper.writeValueAsBytes(report), JobReport.class);
    assertThat(old)
        .isEqualTo(
            REPORT
                .copy()
                .traits(JobTraits.UNKNOWN)
                .speeds(JobSpeeds.NONE)
                .scores(List.of())
                .build());
    JobPlan plan = new JobPlan(42, List.of(), DATASET, RingRole.FOLLOWER);
    ObjectNode json = (ObjectNode) mapper.readTree(ControlJson.write(plan));
    json.remove(List.of("shared", "probe", "scores"));
    assertThat(ControlJson.read(mapper.writeValueAsBytes(json), JobPlan.class)).isEqualTo(plan);
    ObjectNode door = (ObjectNode) mapper.readTree(ControlJson.write(DOOR_PLAN));
    door.remove(List.of("streams", "datasets"));
    assertThat(ControlJson.read(mapper.writeValueAsBytes(door), DoorPlan.class))
        .isEqualTo(new DoorPlan(42, DOOR_PLAN.members(), DOOR_PLAN.space(), List.of(), List.of()));
    ObjectNode fromDoor = (ObjectNode) mapper.readTree(ControlJson.write(DOOR));
    fromDoor.remove("streams");
    assertThat(ControlJson.read(mapper.writeValueAsBytes(fromDoor), DoorReport.class))
        .isEqualTo(DOOR);
  }

  @Test
  void fieldsOfANewerVersionAreIgnored() throws Exception {
    String json =
        "{\"version\":1,\"prefix\":\"ds-\",\"members\":[],\"spaces\":[],\"later\":{\"a\":1}}";
    ServerPlan plan = ControlJson.read(json.getBytes(StandardCharsets.UTF_8), ServerPlan.class);
    assertThat(plan.version()).isEqualTo(1);
  }

  @Test
  void whatIsNoDocumentIsRefusedWithTheReason() {
    for (String bad : new String[] {"", "null", "[]", "{\"version\":\"x\"}", "{"}) {
      assertThatThrownBy(
              () -> ControlJson.read(bad.getBytes(StandardCharsets.UTF_8), JobPlan.class))
          .as(bad)
          .isInstanceOf(MalformedDocument.class);
    }
    String wrong = new String(ControlJson.write(REPORT), StandardCharsets.UTF_8);
    assertThatThrownBy(() ->
            ControlJson.read(
                wrong.replace("sweep-1", "a/b").getBytes(StandardCharsets.UTF_8), JobReport.class))
        .isInstanceOf(MalformedDocument.class)
        .hasMessageContaining("a/b");
  }
}
