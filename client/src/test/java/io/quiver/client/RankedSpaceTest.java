package io.quiver.client;

import static io.quiver.core.keep.PriorityScales.ofNextUse;
import static io.quiver.core.keep.RankingJob.NO_POSITION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quiver.client.testing.RunningServers;
import io.quiver.client.testing.TestBlobs;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.RankFrame.Row;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.Wire;
import io.quiver.server.plan.SpacePlan;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Priorities through the client, at real servers. */
final class RankedSpaceTest {
  private static final SpaceId SPACE = new SpaceId("ds-a.ranked");
  private static final int BYTES = 1_000;

  private static CacheClient client(RunningServers servers, String process) {
    return CacheClient.connect(
        ClientConfig.of(servers.uris()).withJob("train-" + process).withRankingJob("train"));
  }

  private static void order(RunningServers servers, int blobsOfEach, String... jobs) {
    SpaceOrder order =
        new SpaceOrder(SPACE, KeeperKind.RANKED, (long) blobsOfEach * BYTES, List.of(jobs));
    servers.apply(new SpacePlan(7, "ds-", false, List.of(order)));
  }

  private static List<Blob> blobs(int seed, int count, long firstUse) {
    Random random = new Random(seed);
    return IntStream.range(0, count)
        .mapToObj(i -> {
          Blob blob = TestBlobs.ofLength(random, BYTES);
          return new Blob(blob.hash(), SPACE, blob.content(), ofNextUse(firstUse + i));
        })
        .toList();
  }

  @Test
  void allProcessesOfAJobRankAsOneAtAllServers() {
    try (RunningServers servers = RunningServers.inMemory(3);
        CacheClient first = client(servers, "rank-0");
        CacheClient second = client(servers, "rank-1")) {
      order(servers, 100, "train");
      List<Blob> early = blobs(1, 400, 1_000);
      PutAnswer put = first.put(early, 7, 500);
      assertThat(put.count(Receipt.STORED) + put.count(Receipt.NO_ROOM)).isEqualTo(400);
      assertThat(put.lowest()).as("each server keeps 100 of about 133").isBetween(1L, ofNextUse(1));
      List<Integer> kept =
          IntStream.range(0, 400)
              .filter(
                  i -> first.lookup(List.of(early.get(i).hash()), false).status(0) == AskStatus.HIT)
              .boxed()
              .toList();
      assertThat(kept).hasSize(300).contains(0, 1, 2);
      List<Row> later =
          early.stream().map(blob -> new Row(blob.hash(), ofNextUse(1_000_000))).toList();
      RankAnswer ranked = second.rank(SPACE, later, 7, 900);
      assertThat(ranked).isEqualTo(new RankAnswer(300, ofNextUse(1_000_000), List.of()));
      PutAnswer sooner = second.put(blobs(2, 30, 5_000), 7, 900);
      assertThat(sooner.count(Receipt.STORED)).isEqualTo(30);
    }
  }

  @Test
  void aServerThatDoesNotRankIsToldApartFromOneThatDoes() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers, "rank-0")) {
      List<Row> rows = List.of(new Row(blobs(1, 1, 0).getFirst().hash(), 1));
      RankAnswer refused = client.rank(SPACE, rows, 0, NO_POSITION);
      assertThat(refused.kept()).isZero();
      assertThat(refused.failures())
          .singleElement()
          .satisfies(failure -> {
            assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
            assertThat(failure.reason()).contains("not ranked");
          });
      order(servers, 1, "train");
      assertThat(client.rank(SPACE, rows, 7, NO_POSITION).failures()).isEmpty();
      assertThat(client.rank(SPACE, List.of(), 7, NO_POSITION))
          .isEqualTo(new RankAnswer(0, 0, List.of()));
    }
  }

  @Test
  void moreThanOneRequestTakesIsRankedInSeveral() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers, "rank-0")) {
      order(servers, 10, "train");
      List<Blob> blobs = blobs(3, 5, 100);
      client.put(blobs, 7, 0);
      List<Row> rows =
          IntStream.rangeClosed(0, Wire.MAX_BATCH)
              .mapToObj(i -> new Row(blobs.get(i % 5).hash(), ofNextUse(i)))
              .toList();
      assertThat(client.rank(SPACE, rows, 7, 0).kept()).isEqualTo(Wire.MAX_BATCH + 1);
    }
  }

  @Test
  void prioritiesAndNamesOutOfBoundsAreRefused() {
    Blob blob = blobs(1, 1, 0).getFirst();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Blob(blob.hash(), SPACE, blob.content(), -1))
        .withMessageContaining("priority -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientConfig.of(List.of(URI.create("http://a:1"))).withRankingJob("a b"))
        .withMessageContaining("ranking job");
  }
}
