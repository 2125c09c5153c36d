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
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.ScoreBoard;
import io.quiver.core.plan.report.ScoreOffer;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.Timing;
import io.quiver.core.space.SpaceId;
import io.quiver.testkit.HostileDocuments;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
          .withUserQuota("alice", 1L << 40),
      new ServerReport("a", "i", "http://h:1", 10, Map.of("ds-x", 7L), 41, false),
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
