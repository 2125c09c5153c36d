package io.quiver.core.plan;

import static io.quiver.core.plan.StreamCluster.MB;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.plan.StreamCluster.Seen;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.PathPreference;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks what access streams get of the cache, and when they lose it. */
final class StreamTenantsTest {
  private static final long CAPACITY = 512 * MB;

  private final StreamCluster cluster = new StreamCluster(CAPACITY);

  @Test
  void randomStreamsThatFitAreKeptWhole() {
    cluster.door("d", Seen.random(1, 100 * MB, 50), Seen.random(2, 200 * MB, 50)).settle();
    assertThat(cluster.disk(1)).isGreaterThanOrEqualTo(100 * MB);
    assertThat(cluster.disk(2)).isGreaterThanOrEqualTo(200 * MB);
    assertThat(cluster.order(1)).extracting(StreamOrder::keeper).isEqualTo(KeeperKind.UNIFORM);
    assertThat(cluster.verdict(1))
        .isEqualTo(
            new StreamVerdict(
                StreamCluster.key(1),
                AccessPattern.RANDOM,
                StreamSpaceName.of(StreamCluster.key(1)),
                Objects.requireNonNull(cluster.order(1)).quotaBytes()));
    assertThat(cluster.plan.forServers().spaces())
        .contains(Objects.requireNonNull(cluster.order(1)).spaceOrder());
  }

  @Test
  void whoGainsMoreForAByteGetsTheBytes() {
    cluster.door("d", Seen.random(1, 600 * MB, 30), Seen.random(2, 600 * MB, 3)).settle();
    assertThat(cluster.disk(1)).as("reads as fast as it can").isGreaterThan(400 * MB);
    assertThat(cluster.disk(2)).as("waits little of its time").isLessThan(100 * MB);
  }

  @Test
  void sequentialStreamsHaveNoSpace() {
    cluster.door("d", Seen.sequential(1, 300 * MB, 500)).settle();
    assertThat(cluster.spaces()).isZero();
    assertThat(cluster.verdict(1))
        .as("doors are told not to insert")
        .isEqualTo(new StreamVerdict(StreamCluster.key(1), AccessPattern.SEQUENTIAL, null, 0));
  }

  @Test
  void readersThatFollowEachOtherKeepWhatLiesBetweenThem() {
    cluster.door("d", Seen.sequential(1, 300 * MB, 30).following(2, 10 * MB)).settle();
    assertThat(Objects.requireNonNull(cluster.order(1)).quotaBytes()).isBetween(20 * MB, 30 * MB);
    assertThat(cluster.order(1)).extracting(StreamOrder::keeper).isEqualTo(KeeperKind.RECENT);
  }

  @Test
  void skewedStreamsHaveWhatTheirGhostsAreWorth() {
    Seen hot = Seen.skewed(1, 2000 * MB, 30).store(0.5);
    Seen flat = Seen.skewed(2, 2000 * MB, 30).store(0.5);
    cluster.door("d", hot, flat).settle();
    assertThat(cluster.order(1)).extracting(StreamOrder::keeper).isEqualTo(KeeperKind.FIFO3);
    String first = StreamSpaceName.of(StreamCluster.key(1)).name();
    String second = StreamSpaceName.of(StreamCluster.key(2)).name();
    // Both hit half of their reads, one with far less than the other holds.
    cluster.keepers.put(first, StreamCluster.counts(KeeperKind.FIFO3, 250 * MB, 1000, 0.4));
    cluster.keepers.put(second, StreamCluster.counts(KeeperKind.FIFO3, 250 * MB, 1000, 0));
    cluster.settle();
    assertThat(cluster.disk(1)).isGreaterThan(cluster.disk(2) + 50 * MB);
  }

  @Test
  void everyStreamThatReadsHasAFloorSoThatItsGhostsAreSeen() {
    cluster.job("training", 1, 4 * CAPACITY, 4);
    cluster.door("d", Seen.skewed(1, 4 * CAPACITY, 0.2), Seen.random(2, 4 * CAPACITY, 0.2));
    cluster.settle();
    for (int stream = 1; stream <= 2; stream++) {
      assertThat(cluster.disk(stream)).isBetween(CAPACITY / 513, CAPACITY / 100);
    }
    List<StreamSummary> many =
        IntStream.range(0, 250).mapToObj(i -> Seen.skewed(i, 4 * CAPACITY, 0.2).summary()).toList();
    cluster.door("d", many).settle();
    long all = StreamTenants.bytes(cluster.plan.streams());
    assertThat(cluster.spaces()).isEqualTo(250);
    assertThat(all).as("floors of many").isLessThanOrEqualTo(CAPACITY / 16);
    assertThat(cluster.chunks(1)).isGreaterThan(CAPACITY * 85 / 100);
  }

  @Test
  void aFinishedJobsSpaceIsFreeAtOnceWhenOthersNeedIt() {
    Seen reading = Seen.random(1, 400 * MB, 50);
    cluster.door("d", reading).settle();
    cluster.door("d", reading.idle(Seen.QUIET + 1)).settle();
    assertThat(cluster.disk(1)).as("quiet, and nobody needs it").isGreaterThanOrEqualTo(400 * MB);
    cluster.job("training", 1, 4 * CAPACITY, 4).step();
    assertThat(cluster.disk(1)).as("quiet, and a job needs it").isLessThan(20 * MB);
    assertThat(cluster.chunks(1)).isGreaterThan(CAPACITY * 85 / 100);
  }

  @Test
  void aStreamThatReadsOnKeepsItsWorth() {
    cluster.job("training", 1, 4 * CAPACITY, 1.06);
    Seen reading = Seen.random(1, 100 * MB, 33);
    cluster.door("d", reading.idle(Seen.QUIET - 1)).settle();
    assertThat(cluster.disk(1)).isGreaterThanOrEqualTo(100 * MB);
  }

  @Test
  void afterItsLeaseAStreamHasOnlyWhatNobodyNeeds() {
    Seen reading = Seen.random(1, 300 * MB, 50);
    Seen lapsed = reading.idle(Seen.LEASE + 1);
    cluster.door("d", reading).settle();
    cluster.door("d", lapsed, Seen.random(2, 100 * MB, 50)).settle();
    assertThat(cluster.disk(1)).as("both fit").isGreaterThanOrEqualTo(300 * MB);
    cluster.door("d", lapsed, Seen.random(2, 400 * MB, 50)).settle();
    assertThat(cluster.disk(2)).isGreaterThanOrEqualTo(400 * MB);
    assertThat(cluster.disk(1)).as("the rest").isBetween(50 * MB, 112 * MB);
    assertThat(cluster.review().streams().getFirst().why()).contains("lease");
    cluster.without("d").settle();
    assertThat(cluster.disk(1)).as("its door has gone").isBetween(50 * MB, 112 * MB);
  }

  @Test
  void aTtlOfAPathReplacesTheEstimatedLease() {
    Seen seen = Seen.random(1, 400 * MB, 50);
    PathPreference minute = new PathPreference(CachePreference.AUTO, 10.0);
    cluster.preferences = CachePreferences.NONE.withPath("s3://b", minute);
    cluster.door("d", seen).settle();
    assertThat(cluster.disk(1)).isGreaterThanOrEqualTo(400 * MB);
    cluster.door("d", seen.idle(11), Seen.random(2, 500 * MB, 2)).step();
    assertThat(cluster.disk(2)).as("lapsed after ten seconds").isGreaterThan(490 * MB);
    assertThat(cluster.disk(1)).isLessThan(20 * MB);
    PathPreference hour = new PathPreference(CachePreference.AUTO, 3600.0);
    cluster.preferences = CachePreferences.NONE.withPath("s3://b/1", hour);
    cluster.door("d", seen.idle(Seen.LEASE + 1)).settle();
    assertThat(cluster.review().streams().getFirst().why()).doesNotContain("lease");
    assertThat(cluster.review().streams().getFirst().activity().leaseSeconds()).isEqualTo(3600);
  }

  @Test
  void pinsAndVetoesOfAPathBind() {
    cluster.job("training", 1, 4 * CAPACITY, 4);
    cluster.preferences =
        CachePreferences.NONE
            .withPath("s3://b/1", new PathPreference(CachePreference.PIN, null))
            .withPath("s3://b/2/", new PathPreference(CachePreference.NEVER, null));
    cluster.door("d", Seen.random(1, 100 * MB, 0.1), Seen.random(2, 100 * MB, 500)).settle();
    assertThat(cluster.disk(1)).isGreaterThanOrEqualTo(100 * MB);
    assertThat(cluster.disk(2)).isZero();
    assertThat(Objects.requireNonNull(cluster.verdict(2)).space()).as("not inserted").isNull();
    cluster.door("d", Seen.random(1, 100 * MB, 0).idle(1e6)).settle();
    assertThat(cluster.disk(1)).as("idle, but pinned").isGreaterThanOrEqualTo(100 * MB);
    cluster.preferences = CachePreferences.NONE;
    cluster.settle();
    assertThat(cluster.disk(1)).as("unpinned, and a job needs it").isLessThan(20 * MB);
  }

  @Test
  void aVetoedStreamLosesWhatItHad() {
    cluster.door("d", Seen.random(1, 100 * MB, 50)).settle();
    assertThat(cluster.disk(1)).isPositive();
    cluster.preferences =
        CachePreferences.NONE.withPath("s3://b", new PathPreference(CachePreference.NEVER, null));
    cluster.step();
    assertThat(cluster.spaces()).isZero();
  }

  @Test
  void aPatternFlipsOnlyAfterASteadyWhile() {
    Seen seen = Seen.random(1, 100 * MB, 50);
    cluster.door("d", seen).settle();
    cluster.door("d", seen.as(AccessPattern.SKEWED)).step();
    assertThat(cluster.pattern(1)).as("told once").isEqualTo(AccessPattern.RANDOM);
    cluster.steps(3);
    assertThat(cluster.pattern(1)).as("told for three seconds").isEqualTo(AccessPattern.SKEWED);
    assertThat(cluster.disk(1)).as("with another keeper").isPositive();
    assertThat(cluster.order(1)).extracting(StreamOrder::keeper).isEqualTo(KeeperKind.FIFO3);
  }

  @Test
  void aPatternThatChangesWithEveryReportChangesNothing() {
    Seen seen = Seen.random(1, 100 * MB, 50);
    cluster.door("d", seen).settle();
    long version = cluster.plan.version();
    AccessPattern[] told = {AccessPattern.SKEWED, AccessPattern.SEQUENTIAL, AccessPattern.RANDOM};
    for (int i = 0; i < 60; i++) {
      cluster.door("d", seen.as(told[i % told.length])).step();
      assertThat(cluster.pattern(1)).isEqualTo(AccessPattern.RANDOM);
    }
    assertThat(cluster.plan.version()).isEqualTo(version);
  }

  @Test
  void streamsBeyondTheMostShareOneSpace() {
    List<Seen> streams =
        IntStream.range(0, 400).mapToObj(i -> Seen.random(i, 2 * MB, 1 + i)).toList();
    cluster.door("a", streams.stream().limit(250).map(Seen::summary).toList());
    cluster.door("b", streams.stream().skip(250).map(Seen::summary).toList()).settle();
    assertThat(cluster.spaces()).isEqualTo(StreamTenants.MOST);
    long without = streams.stream().filter(each -> cluster.verdict(each.number()) == null).count();
    assertThat(without).as("those of which the plan says nothing").isEqualTo(400 - 256);
    assertThat(cluster.plan.doors()).as("the space they share").isNotNull();
    String before = cluster.plan.streams().keySet().toString();
    cluster.steps(5);
    assertThat(cluster.plan.streams().keySet().toString()).isEqualTo(before);
  }

  @Test
  void endedStreamsDoNotKeepOthersFromASpace() {
    List<StreamSummary> ended =
        IntStream.range(0, 256).mapToObj(i -> Seen.random(i, MB, 5).summary()).toList();
    cluster.door("a", ended).settle();
    assertThat(cluster.spaces()).isEqualTo(256);
    cluster.door("a", ended.stream().map(each -> each.after(Seen.LEASE + 1)).toList());
    cluster.door("b", Seen.random(300, 50 * MB, 5)).settle();
    assertThat(cluster.disk(300)).isGreaterThanOrEqualTo(50 * MB);
    assertThat(cluster.spaces()).isLessThanOrEqualTo(256);
  }

  @Test
  void aNewManagerAdoptsTheSpacesOnServers() {
    Seen seen = Seen.random(1, 100 * MB, 50);
    cluster.door("d", seen).settle();
    cluster.onServer.put(StreamSpaceName.of(StreamCluster.key(1)).name(), 90 * MB);
    cluster.without("d").restart().step();
    assertThat(cluster.disk(1)).as("before any door reports").isEqualTo(90 * MB);
    cluster.restart().door("d", seen).step();
    assertThat(cluster.disk(1)).as("in the first plan with it").isGreaterThanOrEqualTo(90 * MB);
    assertThat(cluster.pattern(1)).isEqualTo(AccessPattern.RANDOM);
  }

  @Test
  void aStreamThatIsNotMeasuredYetKeepsWhatServersHoldOfIt() {
    cluster.onServer.put(StreamSpaceName.of(StreamCluster.key(1)).name(), 60 * MB);
    cluster.door("d", Seen.random(1, 100 * MB, 0)).job("training", 1, 4 * CAPACITY, 4).step();
    assertThat(cluster.disk(1)).isBetween(60 * MB, 70 * MB);
  }

  @Test
  void spacesWithStrangeNamesAreNobodys() {
    cluster.onServer.put("ds-stream.no-hex", 60 * MB);
    cluster.onServer.put("ds-stream.", 60 * MB);
    cluster.step();
    assertThat(cluster.spaces()).isZero();
  }

  @Test
  void moreSpacesOnServersThanAPlanMayHaveAreNotAllKept() {
    for (int i = 0; i < 1000; i++) {
      cluster.onServer.put(StreamSpaceName.of(StreamCluster.key(i)).name(), 10_000L);
    }
    cluster.step();
    assertThat(cluster.spaces()).isEqualTo(256);
    assertThat(cluster.plan.forDoors().streams()).hasSizeLessThanOrEqualTo(512);
  }

  @Test
  void plansStayWhileProgramsReadOn() {
    Random random = new Random(11);
    cluster.job("training", 1, CAPACITY, 2);
    cluster.door("d", noisy(random)).settle();
    long version = cluster.plan.version();
    for (int i = 0; i < 100; i++) {
      cluster.door("d", noisy(random)).step();
    }
    assertThat(cluster.plan.version() - version).isLessThanOrEqualTo(5);
  }

  private static Seen[] noisy(Random random) {
    double noise = 1 + 0.02 * random.nextGaussian();
    return new Seen[] {
      Seen.random(1, 300 * MB + random.nextInt(100_000), 20 * noise),
      Seen.skewed(2, 900 * MB + random.nextInt(100_000), 30 * noise),
      Seen.sequential(3, 900 * MB, 100 * noise)
    };
  }

  @Test
  void quotasOfUsersBindTheirStreams() {
    cluster.preferences = CachePreferences.NONE.withUserQuota("eve", 50 * MB);
    cluster.user("d", "eve").door("d", Seen.random(1, 100 * MB, 50), Seen.random(2, 100 * MB, 50));
    cluster.door("other", Seen.random(3, 100 * MB, 50)).settle();
    assertThat(cluster.disk(1) + cluster.disk(2)).isBetween(40 * MB, 50 * MB);
    assertThat(cluster.disk(3)).isGreaterThanOrEqualTo(100 * MB);
    cluster.door("other", Seen.random(1, 100 * MB, 50)).settle();
    assertThat(cluster.disk(1)).as("shared with one who has none").isGreaterThanOrEqualTo(100 * MB);
  }

  @Test
  void whateverDoorsTellTheSpacesFit() {
    SeededRuns.run(
        20,
        random -> {
          StreamCluster any = new StreamCluster((1 + random.nextInt(1000)) * MB);
          for (int round = 0; round < 12; round++) {
            for (int door = 0; door < 3; door++) {
              List<StreamSummary> streams = new ArrayList<>();
              for (int i = 0; i < random.nextInt(40); i++) {
                streams.add(any(random).summary());
              }
              any.door("door-" + door, streams);
            }
            if (random.nextBoolean()) {
              any.job("job", random.nextInt(3), (1 + random.nextInt(900)) * MB, 3);
            } else {
              any.leave("job");
            }
            any.steps(1 + random.nextInt(4));
            assertThat(any.planned()).isLessThanOrEqualTo(any.capacity + 1000);
            assertThat(any.plan.forDoors().streams()).hasSizeLessThanOrEqualTo(512);
          }
        });
  }

  private static Seen any(Random random) {
    AccessPattern[] patterns = AccessPattern.values();
    return Seen.of(
            random.nextInt(60),
            patterns[random.nextInt(patterns.length)],
            random.nextInt(4) == 0 ? 0 : random.nextLong(1000 * MB),
            random.nextInt(5) == 0 ? 0 : 100 * random.nextDouble())
        .store(random.nextDouble())
        .idle(random.nextInt(3) * 30)
        .following(random.nextInt(4), random.nextInt(3) == 0 ? random.nextLong(9 * MB) : 0);
  }
}
