package io.quiver.core.plan;

import static io.quiver.core.plan.StreamCluster.MB;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.StreamCluster.Seen;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.review.StreamDiagnosis;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.stream.AccessPattern;
import io.quiver.testkit.SeededRuns;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks who uses the bytes that a stream has been given and has not filled yet. */
final class StreamLoansTest {
  private static final long CAPACITY = 512 * MB;
  private static final int TRAINING = 1;
  private static final int QUERIES = 2;

  private final StreamCluster cluster = new StreamCluster(CAPACITY);

  /** Has a training that is worth most of the bytes, and queries that could use as many. */
  private void trainBesideQueries() {
    cluster
        .door("d", Seen.random(TRAINING, 450 * MB, 30), Seen.skewed(QUERIES, 600 * MB, 3))
        .settle();
  }

  private void hold(int stream, long bytes) {
    cluster.onServer.put(StreamSpaceName.of(StreamCluster.key(stream)).name(), bytes);
  }

  private StreamOrder order(int stream) {
    return Objects.requireNonNull(cluster.order(stream));
  }

  /** Returns the bytes on disk that a stream may take now. */
  private static double room(StreamOrder order) {
    return order.roomBytes() / order.keeper().filledShare();
  }

  @Test
  void queriesUseWhatATrainingDoesNotFillYet() {
    trainBesideQueries();
    assertThat(cluster.disk(QUERIES)).as("given").isLessThan(150 * MB);
    assertThat(room(order(QUERIES))).as("used").isGreaterThan(350.0 * MB);
    assertThat(Objects.requireNonNull(order(QUERIES).spaceOrder()).quotaBytes())
        .as("told to servers")
        .isEqualTo(order(QUERIES).roomBytes());
    assertThat(cluster.review().streams())
        .extracting(StreamDiagnosis::why)
        .anySatisfy(why -> assertThat(why).contains("MB more that others do not fill yet"))
        .anySatisfy(why -> assertThat(why).contains("MB of it until it fills them"));
  }

  @Test
  void aTrainingHasAllThatItWasGivenWhenItFillsIt() {
    trainBesideQueries();
    long given = cluster.disk(TRAINING);
    double lent = Double.MAX_VALUE;
    for (long held = 0; held < given; ) {
      hold(TRAINING, held);
      cluster.step();
      assertThat(cluster.disk(TRAINING)).isEqualTo(given);
      assertThat(Objects.requireNonNull(cluster.verdict(TRAINING)).quotaBytes())
          .as("doors fill what was given")
          .isEqualTo(given);
      assertThat(order(TRAINING).roomBytes())
          .as("room for what comes until the next plan, with %d held", held)
          .isGreaterThanOrEqualTo(Math.min(given, held + CAPACITY / 16));
      double now = room(order(QUERIES)) - cluster.disk(QUERIES);
      assertThat(now).isLessThanOrEqualTo(lent);
      lent = now;
      held = order(TRAINING).roomBytes();
    }
    hold(TRAINING, given);
    cluster.step();
    assertThat(order(TRAINING).roomBytes()).isEqualTo(given);
    assertThat(order(QUERIES).roomBytes()).isEqualTo(order(QUERIES).quotaBytes());
  }

  @Test
  void plansStayWhileALoanDoes() {
    trainBesideQueries();
    hold(TRAINING, 100 * MB);
    cluster.settle();
    long version = cluster.plan.version();
    for (int i = 0; i < 20; i++) {
      hold(TRAINING, 100 * MB + i * 10_000L);
      cluster.step();
    }
    assertThat(cluster.plan.version()).isEqualTo(version);
  }

  @Test
  void aUserWithAQuotaBorrowsNothing() {
    cluster.preferences = CachePreferences.NONE.withUserQuota("eve", 50 * MB);
    cluster.user("queries", "eve");
    cluster.door("queries", Seen.skewed(QUERIES, 600 * MB, 3));
    cluster.door("training", Seen.random(TRAINING, 450 * MB, 30)).settle();
    assertThat(order(QUERIES).roomBytes()).isEqualTo(order(QUERIES).quotaBytes());
    assertThat(room(order(QUERIES))).isLessThanOrEqualTo(50.0 * MB);
  }

  @Test
  void queriesThatNobodyReadsGiveBackWhatTheyBorrowed() {
    trainBesideQueries();
    cluster
        .door(
            "d",
            Seen.random(TRAINING, 450 * MB, 30),
            Seen.skewed(QUERIES, 600 * MB, 3).idle(Seen.QUIET + 1))
        .step();
    assertThat(order(QUERIES).roomBytes()).isEqualTo(order(QUERIES).quotaBytes());
  }

  @Test
  void whateverServersHoldAllRoomFits() {
    SeededRuns.run(
        20,
        random -> {
          StreamCluster any = new StreamCluster((1 + random.nextInt(1000)) * MB);
          AccessPattern[] patterns = {AccessPattern.RANDOM, AccessPattern.SKEWED};
          for (int round = 0; round < 12; round++) {
            Seen[] streams =
                IntStream.range(0, 1 + random.nextInt(12))
                    .mapToObj(i ->
                        Seen.of(
                            i,
                            patterns[i % 2],
                            1 + random.nextLong(1000 * MB),
                            100 * random.nextDouble()))
                    .toArray(Seen[]::new);
            for (Seen each : streams) {
              String space = StreamSpaceName.of(each.key()).name();
              any.onServer.put(space, random.nextLong(1 + Math.min(each.bytes(), any.capacity)));
            }
            any.door("d", streams).steps(1 + random.nextInt(3));
            double sum = 0;
            for (StreamOrder each : any.plan.streams().values()) {
              sum += room(each);
              assertThat(each.roomBytes()).isNotNegative();
            }
            assertThat(sum).isLessThanOrEqualTo(any.capacity + 1000.0);
          }
        });
  }
}
