package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.client.Blob;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.ServerAddress;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.importance.ImportanceMode;
import io.quiver.core.importance.RankScore;
import io.quiver.core.importance.ScoreColumn;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.ScoreBoard;
import io.quiver.core.plan.report.ScoreOffer;
import io.quiver.core.space.SpaceId;
import io.quiver.testkit.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of a group sample by what all of them found, through a real cluster. */
@Timeout(240)
class SharedScoresTest {
  private static final int ITEMS = 400;
  private static final int BATCH = 8;
  private static final int[] FIRST = IntStream.range(0, BATCH).toArray();

  @TempDir Path folder;
  private TestDataset data;
  private TestCluster cluster;

  @BeforeEach
  void start() {
    data = TestDataset.make(folder.resolve("data"), ITEMS, 2000, 7);
    cluster = new TestCluster(2, 4 << 20);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private BatchLoader open(String job, TestDataset of, Optional<String> group) {
    ImportanceChoice choice = ImportanceChoice.of(ImportanceMode.SHADE_BOUNDARY);
    return BatchLoader.open(
        LoaderConfig.of(job, of.digest(), of.store())
            .withBatch(BATCH)
            .withEpochs(Integer.MAX_VALUE)
            .withManager(cluster.manager())
            .withImportance(group.map(choice::sharing).orElse(choice)));
  }

  private BatchLoader open(String job) {
    return open(job, data, Optional.of("sweep"));
  }

  private static double[] losses(int length) {
    return IntStream.range(0, length).mapToDouble(each -> each).toArray();
  }

  private static int[] scores(BatchLoader loader) {
    return loader.importanceState().lists().scores();
  }

  /** Begins epochs until the loader's scores are as expected; returns the next one. */
  private static int awaitScores(BatchLoader loader, int from, Consumer<int[]> expected) {
    int[] epoch = {from};
    Await.until(
        "scores of the group came",
        () -> {
          loader.epoch(epoch[0]++).close();
          try {
            expected.accept(scores(loader));
            return true;
          } catch (AssertionError e) {
            return false;
          }
        });
    return epoch[0];
  }

  private static void publish(BatchLoader loader) {
    loader.epoch(0).close();
    loader.report(FIRST, losses(BATCH));
    loader.epoch(1).close();
  }

  @Test
  void aJobSamplesByWhatAnotherOfItsGroupFound() {
    try (BatchLoader one = open("one");
        BatchLoader other = open("other")) {
      other.epoch(0).close();
      publish(one);
      int[] expected = new int[ITEMS];
      System.arraycopy(RankScore.of(losses(BATCH)), 0, expected, 0, BATCH);
      int next = awaitScores(other, 1, scores -> assertThat(scores).isEqualTo(expected));
      // It does not tell again, as its own, scores that it heard.
      other.report(new int[] {100}, new double[] {1});
      other.epoch(next).close();
      awaitScores(
          one, 2, scores -> assertThat(scores[100]).isEqualTo(RankScore.of(new double[] {1})[0]));
      assertThat(scores(one)[0]).isEqualTo(expected[0]);
    }
  }

  @Test
  void whoNamesNoGroupOrReadsOtherDataHearsNothing() {
    TestDataset same = TestDataset.make(folder.resolve("other"), ITEMS, 2000, 8);
    try (BatchLoader one = open("one");
        BatchLoader friend = open("friend");
        BatchLoader alone = open("alone", data, Optional.empty());
        BatchLoader stranger = open("stranger", data, Optional.of("another"));
        BatchLoader elsewhere = open("elsewhere", same, Optional.of("sweep"))) {
      List<BatchLoader> others = List.of(alone, stranger, elsewhere);
      friend.epoch(0).close();
      others.forEach(loader -> loader.epoch(0).close());
      publish(one);
      awaitScores(friend, 1, scores -> assertThat(scores[0]).isPositive());
      for (BatchLoader loader : others) {
        loader.epoch(1).close();
        assertThat(scores(loader)).containsOnly(0);
      }
    }
  }

  @Test
  void columnsThatAreWrongAreLeftOutAndOthersStillCount() throws Exception {
    DatasetKey key = DatasetKey.of(data.digest().identity());
    long dataset = data.digest().identity().prefix();
    try (BatchLoader honest = open("honest");
        CacheClient client = CacheClient.connect(ClientConfig.of(cluster.servers()))) {
      // Owners follow from the names that servers have in the plan.
      client.changeServers(ServerAddress.ofPlan(cluster.managerNow().plan().members()));
      honest.epoch(0).close();
      int[] high = new int[ITEMS];
      Arrays.fill(high, RankScore.score(BATCH - 1));
      ByteBuffer impossible = ScoreColumn.of(1, BATCH, high).encode(dataset, 0);
      impossible.putInt(ScoreColumn.HEADER_BYTES, -5);
      List<ByteBuffer> wrong =
          List.of(
              impossible,
              ScoreColumn.of(1, BATCH, high).encode(dataset + 1, 0),
              ScoreColumn.of(1, BATCH, new int[ITEMS + 1]).encode(dataset, 0),
              ByteBuffer.wrap(new byte[] {1, 2, 3}),
              ByteBuffer.allocate(0));
      SpaceId space = null;
      for (int i = 0; i < wrong.size(); i++) {
        ContentHash hash = ContentHash.ofContent(wrong.get(i));
        space = offer(key, "hostile-" + i, hash);
        put(client, new Blob(hash, space, wrong.get(i)));
      }
      offer(key, "lost", ContentHash.ofContent(new byte[] {9})); // is in no cache
      int[] one = new int[ITEMS];
      one[7] = RankScore.score(3);
      ByteBuffer right = ScoreColumn.of(1, BATCH, one).encode(dataset, 0);
      put(client, new Blob(ContentHash.ofContent(right), Objects.requireNonNull(space), right));
      offer(key, "right", ContentHash.ofContent(right));
      awaitScores(honest, 1, scores -> assertThat(scores).isEqualTo(one));
    }
  }

  @Test
  void twoMembersOfOneNameAreHeardOnceEach() throws Exception {
    DatasetKey key = DatasetKey.of(data.digest().identity());
    try (BatchLoader loader = open("listener");
        CacheClient client = CacheClient.connect(ClientConfig.of(cluster.servers()))) {
      client.changeServers(ServerAddress.ofPlan(cluster.managerNow().plan().members()));
      loader.epoch(0).close();
      for (int i = 0; i < 2; i++) {
        int[] found = new int[ITEMS];
        found[i] = RankScore.score(i);
        ByteBuffer bytes =
            ScoreColumn.of(1, BATCH, found).encode(data.digest().identity().prefix(), 0);
        ContentHash hash = ContentHash.ofContent(bytes);
        put(client, new Blob(hash, offer(key, "process-" + i, "twin", hash), bytes));
      }
      int next = awaitScores(loader, 1, scores -> assertThat(scores[1]).isPositive());
      awaitScores(loader, next, scores -> assertThat(scores[0]).isPositive());
      // Both were taken: what the job finds itself is not averaged with them again.
      loader.report(FIRST, losses(BATCH));
      int[] own = RankScore.of(losses(BATCH));
      loader.epoch(1_000_000).close();
      assertThat(Arrays.copyOf(scores(loader), BATCH)).isEqualTo(own);
    }
  }

  private SpaceId offer(DatasetKey key, String member, ContentHash column) throws Exception {
    return offer(key, member, member, column);
  }

  /** Reports as a job of the group; returns the space for columns. */
  private SpaceId offer(DatasetKey key, String job, String member, ContentHash column)
      throws Exception {
    JobReport report =
        JobReport.of(job, job, key, ITEMS, data.digest().totalBytes(), BATCH)
            .sequence(1)
            .scores(List.of(new ScoreOffer("sweep", member, 1, column, true)))
            .build();
    ScoreBoard board = cluster.managerNow().report(report).scores();
    return Objects.requireNonNull(board).space();
  }

  private void put(CacheClient client, Blob blob) {
    long plan = cluster.managerNow().plan().version();
    Await.until("the column is stored", () -> client.put(List.of(blob), plan).here(0));
  }

  @Test
  void aLostServerCostsScoresAtWorst() {
    try (BatchLoader one = open("one");
        BatchLoader other = open("other")) {
      other.epoch(0).close();
      cluster.kill(0);
      // The column goes to the server that is left.
      publish(one);
      awaitScores(other, 1, scores -> assertThat(scores[0]).isPositive());
      cluster.kill(1);
      one.report(FIRST, losses(BATCH));
      one.epoch(2).close();
      assertThat(scores(one)[0]).isPositive();
    }
  }

  @Test
  void groupsHaveNames() {
    ImportanceChoice choice = ImportanceChoice.of(ImportanceMode.SHADE);
    for (String name : List.of("", "@ranks", "a b", "x".repeat(101))) {
      assertThatThrownBy(() -> choice.sharing(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("use 1 to 100 letters");
    }
  }
}
