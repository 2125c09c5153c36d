package io.quiver.core.stream.tree;

import static io.quiver.core.stream.AccessPattern.RANDOM;
import static io.quiver.core.stream.AccessPattern.SEQUENTIAL;
import static io.quiver.core.stream.AccessPattern.SKEWED;
import static io.quiver.core.stream.AccessPattern.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pattern counts once two windows in a row agree. */
final class PatternVotesTest {
  private final PatternVotes votes = new PatternVotes();

  private boolean vote(AccessPattern pattern) {
    return votes.vote(window(pattern, 100));
  }

  private boolean voteLong(AccessPattern pattern) {
    return votes.voteLong(window(pattern, 1000));
  }

  private static Recognition window(AccessPattern pattern, int records) {
    return new Recognition(pattern, Evidence.GAPS, 0, 0, records);
  }

  @ParameterizedTest
  @EnumSource(
      value = AccessPattern.class,
      names = {"SEQUENTIAL", "RANDOM", "SKEWED"})
  void decidesWhenTwoWindowsAgree(AccessPattern pattern) {
    assertThat(vote(pattern)).isFalse();
    assertThat(votes.current().pattern()).isEqualTo(UNKNOWN);
    assertThat(vote(pattern)).isTrue();
    assertThat(votes.current().pattern()).isEqualTo(pattern);
    assertThat(vote(pattern)).isFalse();
  }

  @Test
  void neverChangesWhilePatternsFlipEveryWindow() {
    vote(RANDOM);
    vote(RANDOM);
    for (int window = 0; window < 1000; window++) {
      assertThat(vote(window % 2 == 0 ? SEQUENTIAL : SKEWED)).isFalse();
      assertThat(votes.current().pattern()).isEqualTo(RANDOM);
    }
  }

  @Test
  void staysUndecidedWhilePatternsFlipFromTheStart() {
    for (int window = 0; window < 1000; window++) {
      assertThat(vote(window % 2 == 0 ? SEQUENTIAL : RANDOM)).isFalse();
    }
    assertThat(votes.current()).isEqualTo(Recognition.NONE);
  }

  @Test
  void aWindowThatTellsNothingParts() {
    vote(RANDOM);
    vote(UNKNOWN);
    assertThat(vote(RANDOM)).isFalse();
    assertThat(vote(RANDOM)).isTrue();
  }

  @Test
  void theLongWindowDecidesBetweenSkewedAndRandom() {
    for (int window = 0; window < 10; window++) {
      vote(window < 3 ? SKEWED : RANDOM);
    }
    assertThat(votes.current().pattern()).isEqualTo(RANDOM);
    assertThat(voteLong(SKEWED)).isTrue();
    vote(RANDOM);
    vote(RANDOM);
    assertThat(votes.current().pattern()).as("short windows are less sure").isEqualTo(SKEWED);
    assertThat(votes.current().records()).isEqualTo(1000);
  }

  @Test
  void theLongWindowNeedsTwoShortOnesThatSawTheSame() {
    for (int window = 0; window < 10; window++) {
      vote(RANDOM);
    }
    assertThat(voteLong(SKEWED)).isFalse();
    assertThat(votes.current().pattern()).isEqualTo(RANDOM);
  }

  @Test
  void aStreamThatBeginsToGoForwardIsSequentialAfterTwoWindows() {
    for (int window = 0; window < 10; window++) {
      vote(RANDOM);
    }
    voteLong(RANDOM);
    vote(SEQUENTIAL);
    assertThat(vote(SEQUENTIAL)).isTrue();
    assertThat(votes.current().pattern()).isEqualTo(SEQUENTIAL);
  }

  @Test
  void countsWindows() {
    vote(RANDOM);
    vote(UNKNOWN);
    voteLong(RANDOM);
    assertThat(votes.windows()).isEqualTo(2);
  }
}
