package io.quiver.core.keep;

import static io.quiver.core.keep.PriorityScales.MAX_PRIORITY;
import static io.quiver.core.keep.PriorityScales.ofNextUse;
import static io.quiver.core.keep.RankingJob.NO_POSITION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs at different positions compare by the samples until the next use. */
final class PriorityScalesTest {
  private final PriorityScales scales = new PriorityScales();
  private final List<Integer> released = new ArrayList<>();

  private RankingJob hear(String name, long position) {
    RankingJob job = new RankingJob(name, position);
    scales.hear(job, released::add);
    return job;
  }

  /** Returns the space's priority of a blob that a job uses after so many samples. */
  private long after(RankingJob job, long samples) {
    return scales.toSpace(job, ofNextUse(job.position() + samples));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4_000_000_000L, (1L << 32) - 50, 1L << 32, 1L << 50})
  void aJobBeginsAtTheClockWhereverItIs(long position) {
    RankingJob first = hear("first", 123_456);
    RankingJob other = hear("other", position);
    for (int samples : new int[] {0, 1, 100, 1_000_000_000}) {
      assertThat(after(other, samples)).isEqualTo(after(first, samples));
    }
  }

  @Test
  void whatIsUsedSoonerRanksHigherAlsoOfJobsThatMoveOn() {
    SeededRuns.run(20, random -> new PriorityScalesTest().movesOn(random));
  }

  private void movesOn(Random random) {
    long[] positions = {random.nextInt(1 << 20), random.nextInt(1 << 20)};
    for (int step = 0; step < 1000; step++) {
      long ahead = random.nextInt(3000);
      RankingJob one = hear("one", positions[0] += ahead);
      RankingJob two = hear("two", positions[1] += ahead);
      int left = random.nextInt(100_000);
      int right = random.nextInt(100_000);
      assertThat(after(one, left) > after(two, right)).isEqualTo(left < right);
      long lowest = after(two, right);
      assertThat(scales.fromSpace(two, lowest)).isEqualTo(ofNextUse(positions[1] + right));
      assertThat(scales.fromSpace(one, lowest)).isEqualTo(ofNextUse(positions[0] + right));
    }
  }

  @Test
  void aJobThatReadsMoreSlowlyIsBroughtUpToTheClock() {
    long fast = 0;
    long slow = 0;
    for (int step = 0; step < 1000; step++) {
      RankingJob leader = hear("fast", fast += 100);
      RankingJob follower = hear("slow", slow += 10);
      long behind = after(follower, 5_000) - after(leader, 5_000);
      assertThat(behind).isBetween(0L, (long) PriorityScales.SLACK_SAMPLES);
    }
  }

  @Test
  void ranksOfOneJobThatAreApartDoNotMoveItsScale() {
    RankingJob ahead = hear("job", 100_000);
    long before = after(ahead, 50);
    for (int call = 1; call < PriorityScales.CALLS_UNTIL_BACK; call++) {
      RankingJob straggler = hear("job", 100_000 - 16_384);
      assertThat(after(straggler, 16_384 + 50)).isEqualTo(before);
    }
    hear("job", 100_001);
    hear("job", 3);
    assertThat(after(new RankingJob("job", 100_001), 49)).isEqualTo(before);
  }

  @Test
  void aJobThatWasResumedFromAnEarlierStateFindsTheClockAgain() {
    hear("other", 1_000);
    hear("job", 500);
    hear("job", 900_500);
    RankingJob other = hear("other", 1_000);
    RankingJob resumed = hear("job", 42);
    for (int call = 1; call < PriorityScales.CALLS_UNTIL_BACK; call++) {
      resumed = hear("job", 42);
    }
    assertThat(after(resumed, 70)).isEqualTo(after(other, 70));
  }

  @Test
  void aJumpThatNoJobMakesLeavesTheClockAlone() {
    RankingJob other = hear("other", 1_000);
    long before = after(other, 10);
    hear("job", 0);
    RankingJob jumped = hear("job", RankingJob.MAX_POSITION);
    assertThat(after(hear("other", 1_000), 10)).isEqualTo(before);
    assertThat(after(jumped, 10)).isEqualTo(before);
  }

  @Test
  void scoresNeedNoScaleAndRankAboveNextUses() {
    RankingJob scored = hear("scored", NO_POSITION);
    RankingJob planned = hear("planned", 7);
    assertThat(scales.toSpace(scored, 5)).isEqualTo(5);
    assertThat(scales.fromSpace(scored, 5)).isEqualTo(5);
    assertThat(after(planned, 0)).isNegative();
    assertThat(scales.fromSpace(planned, 5)).as("nothing gets in").isEqualTo(MAX_PRIORITY);
    assertThat(scales.fromSpace(scored, after(planned, 0))).as("any score does").isEqualTo(1);
  }

  @Test
  void noPriorityIsNoneInEveryScale() {
    RankingJob job = hear("job", 7);
    assertThat(scales.toSpace(job, 0)).isEqualTo(Ranked.UNKNOWN);
    assertThat(scales.fromSpace(job, Ranked.UNKNOWN)).isZero();
    RankingJob stranger = new RankingJob("stranger", 7);
    assertThat(scales.toSpace(stranger, 1)).isEqualTo(Ranked.UNKNOWN);
    assertThat(scales.number(stranger)).isZero();
  }

  @Test
  void theJobNotHeardOfForTheLongestGoesWhenThereAreTooMany() {
    for (int i = 0; i < PriorityScales.MAX_JOBS; i++) {
      hear("job-" + i, i);
    }
    hear("job-0", 5);
    int second = scales.number(new RankingJob("job-1", 0));
    RankingJob late = hear("late", 9);
    assertThat(released).containsExactly(second);
    assertThat(scales.number(late)).isEqualTo(second);
    assertThat(scales.jobs()).isEqualTo(PriorityScales.MAX_JOBS);
  }

  @Test
  void onlyNamedJobsStay() {
    int gone = scales.number(hear("gone", 1));
    RankingJob stays = hear("stays", 1);
    int number = scales.number(stays);
    scales.keepOnly(List.of("stays", "not yet heard of"), released::add);
    assertThat(released).containsExactly(gone);
    assertThat(scales.number(stays)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(longs = {-2, RankingJob.MAX_POSITION + 1, Long.MAX_VALUE, Long.MIN_VALUE})
  void positionsOutOfBoundsAreRefused(long position) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RankingJob("job", position))
        .withMessageContaining(Long.toString(position));
  }
}
