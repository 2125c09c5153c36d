package io.quiver.core.plan;

import static io.quiver.core.plan.StreamCluster.MB;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.StreamCluster.Seen;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamSummary;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks plans for streams of which doors tell too much, too little or different things. */
final class StreamFaultsTest {
  private static final long CAPACITY = 512 * MB;

  private final StreamCluster cluster = new StreamCluster(CAPACITY);

  @Test
  void ofDoorsThatContradictEachOtherThoseWithMoreReadsCount() {
    Seen random = Seen.random(1, 100 * MB, 50);
    cluster.door("a", random).door("b", random.as(AccessPattern.SKEWED).reading(20)).settle();
    assertThat(cluster.pattern(1)).isEqualTo(AccessPattern.RANDOM);
    long version = cluster.plan.version();
    cluster.steps(30);
    assertThat(cluster.plan.version()).as("nothing flaps").isEqualTo(version);

    StreamCluster swapped = new StreamCluster(CAPACITY);
    swapped.door("b", random).door("a", random.as(AccessPattern.SKEWED).reading(20)).settle();
    assertThat(swapped.verdict(1)).as("in whatever order").isEqualTo(cluster.verdict(1));
  }

  @Test
  void ofDoorsThatContradictEachOtherEquallyTheLeastHarmfulPatternCounts() {
    Seen random = Seen.random(1, 100 * MB, 50);
    cluster
        .door("a", random.as(AccessPattern.SEQUENTIAL))
        .door("b", random.as(AccessPattern.SKEWED))
        .settle();
    assertThat(cluster.pattern(1)).isEqualTo(AccessPattern.SKEWED);
  }

  @Test
  void theStreamsOfADeadDoorAgeUntilTheirBytesAreFree() {
    cluster.door("dead", Seen.random(1, 400 * MB, 50)).settle();
    cluster.silence("dead").job("training", 1, 4 * CAPACITY, 1.06);
    cluster.steps((int) Seen.QUIET - 1);
    assertThat(cluster.disk(1)).as("it may only be slow").isGreaterThan(200 * MB);
    cluster.steps(3);
    assertThat(cluster.disk(1)).as("it has told nothing for long").isLessThan(20 * MB);
    cluster.without("dead").steps(2);
    assertThat(cluster.disk(1)).as("the manager has dropped it").isLessThan(20 * MB);
    assertThat(cluster.chunks(1)).isGreaterThan(CAPACITY * 85 / 100);
  }

  @Test
  void aStreamGoesOnWhereADoorDiesAndAnotherStillReads() {
    Seen seen = Seen.random(1, 100 * MB, 50);
    cluster.door("dead", seen).door("alive", seen).job("training", 1, 4 * CAPACITY, 1.06).settle();
    long had = cluster.disk(1);
    cluster.silence("dead").steps(30).without("dead").steps(30);
    assertThat(cluster.disk(1)).isEqualTo(had).isGreaterThanOrEqualTo(100 * MB);
  }

  @Test
  void aDoorThatTellsOfStreamsWithoutEndKeepsNobodyFromASpace() {
    for (int second = 0; second < 10; second++) {
      int from = 1000 * second;
      List<StreamSummary> flood =
          IntStream.range(0, 256).mapToObj(i -> Seen.random(from + i, MB, 900).summary()).toList();
      cluster.door("flood", flood).door("modest", Seen.random(999_999, 50 * MB, 2)).step();
      assertThat(cluster.spaces()).isLessThanOrEqualTo(StreamTenants.MOST);
    }
    assertThat(cluster.disk(999_999)).isGreaterThanOrEqualTo(50 * MB);
  }

  @Test
  void aQuotaOfNothingGivesNothing() {
    cluster.preferences = CachePreferences.NONE.withUserQuota("eve", 0L);
    cluster.user("d", "eve").door("d", Seen.random(1, 100 * MB, 50), Seen.skewed(2, MB, 50));
    cluster.settle();
    assertThat(cluster.spaces()).isZero();
    assertThat(cluster.verdict(1)).extracting(each -> each.quotaBytes()).isEqualTo(0L);
  }

  @Test
  void aCacheOfNothingIsDivided() {
    StreamCluster empty = new StreamCluster(0);
    empty.door("d", Seen.random(1, 100 * MB, 50), Seen.skewed(2, MB, 50)).settle();
    assertThat(empty.spaces()).isZero();
    assertThat(empty.pattern(1)).isEqualTo(AccessPattern.RANDOM);
  }

  @Test
  void streamsWithoutBytesOrReadsHaveNoSpace() {
    cluster.door("d", Seen.random(1, 0, 50), Seen.skewed(2, 0, 0)).settle();
    assertThat(cluster.spaces()).isZero();
  }

  @Test
  void patternsThatFlipEveryWindowDoNotMoveOthers() {
    Seen steady = Seen.random(1, 300 * MB, 50);
    Seen flips = Seen.random(2, 300 * MB, 50);
    cluster.door("d", steady, flips).settle();
    long had = cluster.disk(1);
    long changes = 0;
    for (int window = 0; window < 12; window++) {
      AccessPattern told = window % 2 == 0 ? AccessPattern.SKEWED : AccessPattern.RANDOM;
      long version = cluster.plan.version();
      // A window of five seconds is long enough to count.
      cluster.door("d", steady, flips.as(told)).steps(5);
      changes += cluster.plan.version() - version;
      assertThat(cluster.disk(1)).isBetween(had * 8 / 10, had * 12 / 10);
    }
    assertThat(changes).as("plans in a minute").isLessThanOrEqualTo(60);
  }
}
