package io.quiver.server;

import static io.quiver.core.keep.PriorityScales.ofNextUse;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.RankFrame.Row;
import io.quiver.protocol.RankedFrame;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ReceiptFrame;
import io.quiver.protocol.Wire;
import io.quiver.server.TestClient.Answer;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Priorities of blobs in a ranked space, over the wire. */
class RankCallsTest extends RunningServerTest {
  private static final SpaceId SPACE = new SpaceId("ds-a.ranked");
  private static final int BYTES = 4_000;
  private static final int BLOBS = 12;

  /** A call of a job; without a position its priorities are scores. */
  private record Job(String name, long position) {
    String fields() {
      String job = Wire.JOB_HEADER + ": " + name + "-rank-3\r\n";
      String group = Wire.RANKING_JOB_HEADER + ": " + name + "\r\n";
      String at = position < 0 ? "" : Wire.POSITION_HEADER + ": " + position + "\r\n";
      return job + group + at;
    }

    /** Returns the priority of a blob that is used after so many samples. */
    long after(long samples) {
      return ofNextUse(position + samples);
    }
  }

  private static Job scores(String name) {
    return new Job(name, -1);
  }

  private static byte[] content(int number) {
    byte[] bytes = new byte[BYTES];
    new Random(number).nextBytes(bytes);
    return bytes;
  }

  private static ContentHash hash(int number) {
    return ContentHash.ofContent(content(number));
  }

  private void order(int blobs, String... jobs) throws IOException {
    order(client, "ranked", (long) blobs * BYTES, jobs);
  }

  private static void order(TestClient client, String keeper, long quota, String... jobs)
      throws IOException {
    String names = jobs.length == 0 ? "" : "\"" + String.join("\",\"", jobs) + "\"";
    String plan =
        """
        {"prefix":"ds-","spaces":[{"name":"%s","keeper":"%s","quota_bytes":%d,"jobs":[%s]}]}\
        """
            .formatted(SPACE.name(), keeper, quota, names);
    Answer answer =
        client.ask("POST /v1/spaces", TestClient.JSON, plan.getBytes(StandardCharsets.UTF_8));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
  }

  private ReceiptFrame put(Job job, Map<Integer, Long> priorities) throws Exception {
    return put(client, job, priorities);
  }

  private static ReceiptFrame put(TestClient client, Job job, Map<Integer, Long> priorities)
      throws IOException, FrameException {
    List<Offer> offers = new ArrayList<>();
    List<byte[]> payloads = new ArrayList<>();
    new TreeMap<>(priorities)
        .forEach((number, priority) -> {
          offers.add(new Offer(hash(number), SPACE, BYTES, priority));
          payloads.add(content(number));
        });
    byte[] body = TestClient.bytes(new OfferFrame(offers), payloads.toArray(byte[][]::new));
    Answer answer = client.ask("PUT /v1/blobs", job.fields(), body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return ReceiptFrame.parse(ByteBuffer.wrap(answer.body()), offers.size());
  }

  private RankedFrame rank(Job job, Map<Integer, Long> priorities) throws Exception {
    return rank(client, job, priorities);
  }

  private static RankedFrame rank(TestClient client, Job job, Map<Integer, Long> priorities)
      throws IOException, FrameException {
    Answer answer = client.ask("POST /v1/blobs/rank", job.fields(), frame(priorities));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return RankedFrame.parse(ByteBuffer.wrap(answer.body()), priorities.size());
  }

  private static byte[] frame(Map<Integer, Long> priorities) {
    List<Row> rows =
        new TreeMap<>(priorities)
            .entrySet().stream()
                .map(each -> new Row(hash(each.getKey()), each.getValue()))
                .toList();
    RankFrame frame = new RankFrame(SPACE, rows);
    ByteBuffer body = ByteBuffer.allocate(frame.bytes());
    frame.write(body);
    return body.array();
  }

  private List<Integer> kept() {
    return kept(server);
  }

  private static List<Integer> kept(TestServer server) {
    return IntStream.range(0, BLOBS)
        .filter(number -> server.store.contains(List.of(hash(number)))[0])
        .boxed()
        .toList();
  }

  @Test
  void theLowestPriorityGoesAndWhatIsOutrankedIsRefused() throws Exception {
    order(3, "a");
    Job job = scores("a");
    ReceiptFrame first = put(job, Map.of(0, 30L, 1, 10L, 2, 20L));
    assertThat(first.receipts()).containsOnly(Receipt.STORED);
    assertThat(first.lowest()).isEqualTo(10);
    ReceiptFrame refused = put(job, Map.of(3, 9L));
    assertThat(refused.receipts()).containsExactly(Receipt.NO_ROOM);
    assertThat(kept()).containsExactly(0, 1, 2);
    ReceiptFrame taken = put(job, Map.of(3, 15L));
    assertThat(taken.receipts()).containsExactly(Receipt.STORED);
    assertThat(taken.lowest()).isEqualTo(15);
    assertThat(kept()).containsExactly(0, 2, 3);
  }

  @Test
  void anythingIsTakenWhileThereIsSpace() throws Exception {
    order(3, "a");
    assertThat(put(scores("a"), Map.of(0, 30L, 1, 10L)).lowest()).isZero();
    assertThat(rank(scores("a"), Map.of(0, 5L)).lowest()).isZero();
  }

  @Test
  void aSpaceOfNothingSaysThatItTakesNothing() throws Exception {
    order(0, "a");
    ReceiptFrame refused = put(scores("a"), Map.of(0, 30L));
    assertThat(refused.receipts()).containsExactly(Receipt.NO_ROOM);
    assertThat(refused.lowest()).isEqualTo(Wire.MAX_PRIORITY);
  }

  @Test
  void aRankingChangesWhatGoesNext() throws Exception {
    order(3, "a");
    Job before = new Job("a", 100);
    put(before, Map.of(0, before.after(5), 1, before.after(50), 2, before.after(20)));
    Job now = new Job("a", 106);
    RankedFrame ranked = rank(now, Map.of(0, now.after(900), 7, now.after(1)));
    assertThat(ranked.kept()).as("blob 7 is not here, which is no error").isEqualTo(1);
    assertThat(ranked.lowest()).isEqualTo(now.after(900));
    assertThat(put(now, Map.of(3, now.after(901))).receipts()).containsExactly(Receipt.NO_ROOM);
    assertThat(put(now, Map.of(3, now.after(100))).receipts()).containsExactly(Receipt.STORED);
    assertThat(kept()).containsExactly(1, 2, 3);
    assertThat(rank(now, Map.of(1, 0L)).lowest()).as("blob 1 has none").isZero();
    put(now, Map.of(4, now.after(5_000)));
    assertThat(kept()).containsExactly(2, 3, 4);
  }

  @Test
  void anInsertOfWhatIsHereRanksItAnew() throws Exception {
    order(2, "a");
    put(scores("a"), Map.of(0, 10L, 1, 20L));
    assertThat(put(scores("a"), Map.of(0, 30L)).receipts()).containsExactly(Receipt.ALREADY_HERE);
    put(scores("a"), Map.of(2, 25L));
    assertThat(kept()).containsExactly(0, 2);
  }

  @Test
  void jobsAtOtherPositionsCompareByTheSamplesUntilTheNextUse() throws Exception {
    order(3, "early", "late");
    Job late = new Job("late", 5_000_000);
    Job early = new Job("early", 40);
    put(late, Map.of(0, late.after(100), 1, late.after(300)));
    ReceiptFrame receipts = put(early, Map.of(2, early.after(200)));
    assertThat(receipts.lowest()).as("in the scale of the asking job").isEqualTo(early.after(300));
    assertThat(put(early, Map.of(3, early.after(301))).receipts()).containsExactly(Receipt.NO_ROOM);
    put(early, Map.of(3, early.after(250)));
    assertThat(kept()).containsExactly(0, 2, 3);
    put(late, Map.of(4, late.after(210)));
    assertThat(kept()).containsExactly(0, 2, 4);
  }

  @Test
  void theHighestOfSeveralJobsCounts() throws Exception {
    order(2, "a", "b");
    put(scores("a"), Map.of(0, 10L, 1, 20L));
    rank(scores("b"), Map.of(0, 40L, 1, 5L));
    rank(scores("a"), Map.of(0, 1L));
    put(scores("b"), Map.of(2, 30L));
    assertThat(kept()).as("job a ranks blob 0 low, job b still high").containsExactly(0, 2);
  }

  @Test
  void aJobThatThePlanNamesNoMoreGivesItsPrioritiesBack() throws Exception {
    order(2, "a", "b");
    put(scores("a"), Map.of(0, 100L, 1, 200L));
    rank(scores("b"), Map.of(1, 50L));
    order(2, "a", "b");
    assertThat(rank(scores("b"), Map.of(9, 1L)).lowest()).isEqualTo(100);
    order(2, "b");
    assertThat(rank(scores("b"), Map.of(9, 1L)).lowest()).as("blob 0 has none left").isZero();
    put(scores("b"), Map.of(2, 60L));
    assertThat(kept()).containsExactly(1, 2);
    assertThat(rank(scores("b"), Map.of(9, 1L)).lowest()).isEqualTo(50);
  }

  @Test
  void givenBackPrioritiesCountWhenTheQuotaFalls() throws Exception {
    order(3, "a", "b");
    put(scores("a"), Map.of(0, 100L, 1, 200L));
    put(scores("b"), Map.of(2, 1L));
    order(1, "b");
    assertThat(kept()).containsExactly(2);
  }

  @Test
  void afterARestartBlobsAreThereWithoutPrioritiesUntilJobsRankThem(@TempDir Path folder)
      throws Exception {
    SsdStoreConfig config = SsdStoreConfig.of(List.of(folder), 64L << 20);
    Job job = new Job("a", 1_000);
    try (TestServer disk =
            new TestServer(SsdBlobStore.open(config, RecoveryProgress.NONE), each -> each);
        TestClient caller = disk.client()) {
      order(caller, "ranked", 4L * (BYTES + 96), "a");
      put(caller, job, Map.of(0, job.after(9), 1, job.after(8), 2, job.after(7), 3, job.after(6)));
    }
    try (TestServer disk =
            new TestServer(SsdBlobStore.open(config, RecoveryProgress.NONE), each -> each);
        TestClient caller = disk.client()) {
      order(caller, "ranked", 4L * (BYTES + 96), "a");
      assertThat(kept(disk)).containsExactly(0, 1, 2, 3);
      Job later = new Job("a", 2_000);
      RankedFrame ranked = rank(caller, later, Map.of(0, later.after(500), 2, later.after(3)));
      assertThat(ranked).isEqualTo(new RankedFrame(2, 0));
      put(caller, later, Map.of(4, later.after(10), 5, later.after(11)));
      assertThat(kept(disk)).as("1 and 3 were not ranked").containsExactly(0, 2, 4, 5);
      assertThat(put(caller, later, Map.of(6, later.after(501))).receipts())
          .containsExactly(Receipt.NO_ROOM);
    }
  }

  @Test
  void rankingsAreCountedByJobAndSpace() throws Exception {
    order(3, "a");
    put(scores("a"), Map.of(0, 30L, 1, 10L));
    rank(scores("a"), Map.of(0, 1L, 1, 2L, 2, 3L));
    TestServer.await(
        "a request is counted once its answer has been sent",
        () ->
            server
                .metricsText()
                .contains("\nquiver_requests_total{endpoint=\"rank\",code=\"2xx\"} 1\n"));
    assertThat(server.metricsText())
        .contains("\nquiver_blobs_ranked_total 2\n")
        .contains("\nquiver_job_blobs_ranked_total{job=\"a-rank-3\"} 2\n")
        .contains("\nquiver_space_blobs_ranked_total{space=\"ds-a.ranked\"} 2\n")
        .contains(
            "\nquiver_kept_space_lowest_priority{space=\"ds-a.ranked\",keeper=\"ranked\"} 1\n");
  }

  @Test
  void spacesThatAreNotRankedTakeNoPriorities() throws Exception {
    order(client, "recent", 4L * BYTES);
    Answer wrong = client.ask("POST /v1/blobs/rank", scores("a").fields(), frame(Map.of(0, 1L)));
    assertThat(wrong.status()).isEqualTo(409);
    assertThat(wrong.text()).contains("space ds-a.ranked is not ranked");
    assertThat(put(scores("a"), Map.of(0, 7L)).lowest()).isZero();
  }

  @Test
  void spacesThatNobodyOrderedTakeNoPriorities() throws Exception {
    Answer unknown = client.ask("POST /v1/blobs/rank", scores("a").fields(), frame(Map.of(0, 1L)));
    assertThat(unknown.status()).isEqualTo(409);
    byte[] plan = "{\"prefix\":\"ds-\",\"spaces\":[]}".getBytes(StandardCharsets.UTF_8);
    client.ask("POST /v1/spaces", TestClient.JSON, plan);
    Answer unplanned =
        client.ask("POST /v1/blobs/rank", scores("a").fields(), frame(Map.of(0, 1L)));
    assertThat(unplanned.status()).isEqualTo(409);
    assertThat(unplanned.text()).contains("the plan of this server has no space ds-a.ranked");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1.5", "many", "9007199254740993", "18446744073709551615"})
  void positionsThatAreNoneAreRefused(String position) throws Exception {
    order(3, "a");
    String fields = scores("a").fields() + Wire.POSITION_HEADER + ": " + position + "\r\n";
    Answer rank = client.ask("POST /v1/blobs/rank", fields, frame(Map.of(0, 1L)));
    assertThat(rank.status()).isEqualTo(400);
    assertThat(rank.text()).contains("not the position of a job");
    try (TestClient other = server.client()) {
      Offer offer = new Offer(hash(0), SPACE, BYTES, 1);
      byte[] body = TestClient.bytes(new OfferFrame(List.of(offer)), content(0));
      assertThat(other.ask("PUT /v1/blobs", fields, body).status()).isEqualTo(400);
    }
  }

  @Test
  void rankingsWithoutAJobOrWithABrokenFrameAreRefused() throws Exception {
    order(3, "a");
    Answer nobody = client.ask("POST /v1/blobs/rank", "", frame(Map.of(0, 1L)));
    assertThat(nobody.status()).isEqualTo(400);
    assertThat(nobody.text()).contains("priorities need a job");
    byte[] broken = frame(Map.of(0, 1L));
    broken[4] = 2;
    assertThat(client.ask("POST /v1/blobs/rank", scores("a").fields(), broken).status())
        .isEqualTo(400);
    String announced = "Content-Length: " + (RankFrame.MAX_BYTES + 1) + "\r\n";
    assertThat(
            client
                .ask("POST /v1/blobs/rank", scores("a").fields() + announced, new byte[0])
                .status())
        .isEqualTo(413);
  }
}
