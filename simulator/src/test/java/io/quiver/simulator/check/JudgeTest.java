package io.quiver.simulator.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Every judge sees what is wrong, and nothing where all is well. */
class JudgeTest {
  private static ExactlyOnce reader() {
    ExactlyOnce judge = new ExactlyOnce();
    judge.dataset(0, 0, "set", 4, true);
    judge.jobStarted(0, 3, "job", 0);
    return judge;
  }

  @Test
  void twoGoodEpochsAreFine() {
    ExactlyOnce judge = reader();
    for (int epoch = 0; epoch < 2; epoch++) {
      judge.delivered(1, 3, epoch, new int[] {2, 0}, 0);
      judge.delivered(1, 3, epoch, new int[] {1, 3}, 0);
      judge.epochEnded(2, 3, epoch);
    }
    assertThat(judge.violations()).isEmpty();
  }

  @Test
  void anItemThatComesTwiceIsFound() {
    ExactlyOnce judge = reader();
    judge.delivered(7, 3, 0, new int[] {2, 1}, 0);
    judge.delivered(8, 3, 0, new int[] {1}, 0);
    assertThat(judge.violations())
        .singleElement()
        .matches(each -> each.atNanos() == 8 && each.what().contains("item 1 twice"));
  }

  @Test
  void anItemThatNeverComesIsFound() {
    ExactlyOnce judge = reader();
    judge.delivered(7, 3, 0, new int[] {2, 1, 0}, 0);
    judge.epochEnded(9, 3, 0);
    assertThat(judge.violations()).singleElement().matches(each -> each.what().contains("3 of 4"));
  }

  @Test
  void aListIsJudgedByItsEntries() {
    ExactlyOnce once = reader();
    AsListed judge = new AsListed();
    int[] list = {2, 2, 0};
    once.listed(0, 3, 0, list);
    judge.listed(0, 3, 0, list);
    once.delivered(1, 3, 0, list, 0);
    judge.delivered(1, 3, 0, new int[] {2, 0, 2}, 0);
    once.epochEnded(2, 3, 0);
    judge.epochEnded(2, 3, 0);
    assertThat(once.violations()).isEmpty();
    assertThat(judge.violations()).isEmpty();

    judge.listed(3, 3, 1, list);
    judge.delivered(4, 3, 1, new int[] {0, 0}, 0);
    judge.epochEnded(5, 3, 1);
    assertThat(judge.violations())
        .extracting(Judge.Violation::what)
        .containsExactly(
            "job 3 gets item 0 too often in epoch 1", "job 3 lacks 2 entries of epoch 1");
    once.delivered(4, 3, 1, new int[] {1, 1}, 0);
    assertThat(once.count()).isEqualTo(1);
  }

  @Test
  void anItemOfAnotherEpochIsFound() {
    ExactlyOnce judge = reader();
    judge.delivered(7, 3, 1, new int[] {2}, 0);
    assertThat(judge.count()).isEqualTo(1);
  }

  @Test
  void itemsWithoutNamesAreCounted() {
    ExactlyOnce judge = new ExactlyOnce();
    judge.dataset(0, 0, "set", 4, false);
    judge.jobStarted(0, 0, "job", 0);
    judge.delivered(1, 0, 0, new int[] {0, 0, 0, 0}, 0);
    judge.epochEnded(2, 0, 0);
    assertThat(judge.violations()).isEmpty();
    judge.delivered(3, 0, 1, new int[] {0, 0, 0, 0, 0}, 0);
    assertThat(judge.violations()).isNotEmpty();
  }

  @Test
  void aFullServerThatTakesMoreIsFound() {
    WithinCapacity judge = new WithinCapacity();
    judge.serverStarted(0, 0, "s", 100);
    judge.stored(1, 0, 0, 0, true, 1, 60);
    judge.dropped(2, 0, 0, 0, 60);
    judge.stored(3, 0, 0, 1, true, 1, 100);
    assertThat(judge.violations()).isEmpty();
    judge.stored(4, 0, 0, 1, true, 1, 1);
    assertThat(judge.violations()).singleElement().matches(each -> each.atNanos() == 4);
  }

  @Test
  void bytesThatWereNeverThereCannotGo() {
    WithinCapacity judge = new WithinCapacity();
    judge.serverStarted(0, 0, "s", 100);
    judge.dropped(2, 0, 0, 0, 1);
    assertThat(judge.violations()).hasSize(1);
  }

  @Test
  void aServerThatIsGoneHoldsNothing() {
    WithinCapacity judge = new WithinCapacity();
    judge.serverStarted(0, 0, "s", 100);
    judge.stored(1, 0, 0, 0, true, 1, 60);
    judge.serverGone(2, 0);
    judge.stored(3, 0, 0, 0, true, 1, 1);
    assertThat(judge.violations()).hasSize(1);
  }

  @Test
  void aThirdRotatingChunkIsFoundAndPinnedOnesAreNot() {
    RotatingWindow judge = new RotatingWindow(2);
    for (int chunk = 0; chunk < 5; chunk++) {
      judge.stored(chunk, 0, 0, chunk, false, 1, 1);
    }
    judge.stored(5, 0, 0, 5, true, 1, 1);
    judge.stored(6, 0, 0, 6, true, 1, 1);
    judge.stored(7, 0, 1, 7, true, 1, 1);
    judge.stored(8, 1, 0, 8, true, 1, 1);
    judge.dropped(9, 0, 0, 5, 1);
    judge.stored(10, 0, 0, 9, true, 1, 1);
    assertThat(judge.violations()).isEmpty();
    judge.stored(11, 0, 0, 10, true, 1, 1);
    assertThat(judge.violations()).singleElement().matches(each -> each.atNanos() == 11);
  }

  @Test
  void aPinnedChunkThatTurnsIntoAThirdIsFound() {
    RotatingWindow judge = new RotatingWindow(2);
    judge.stored(1, 0, 0, 1, false, 1, 1);
    judge.stored(2, 0, 0, 2, true, 1, 1);
    judge.stored(3, 0, 0, 3, true, 1, 1);
    judge.roleChanged(4, 0, 0, 1, true);
    assertThat(judge.violations()).hasSize(1);
  }

  @Test
  void aReadThatIsNeverAnsweredIsFound() {
    NoReadLost judge = new NoReadLost();
    judge.jobStarted(0, 0, "job", 0);
    judge.requested(1, 0, 5);
    judge.requested(1, 0, 6);
    judge.answered(2, 0, 6);
    judge.ended(9);
    assertThat(judge.violations())
        .singleElement()
        .matches(each -> each.what().contains("1 batches"));
  }

  @Test
  void anAnswerThatNobodyAskedForIsFound() {
    NoReadLost judge = new NoReadLost();
    judge.jobStarted(0, 0, "job", 0);
    judge.requested(1, 0, 5);
    judge.answered(2, 0, 5);
    judge.answered(3, 0, 5);
    assertThat(judge.violations()).hasSize(1);
  }

  @Test
  void whatAJobThatEndedAskedForIsNotMissed() {
    NoReadLost judge = new NoReadLost();
    judge.jobStarted(0, 0, "job", 0);
    judge.requested(1, 0, 5);
    judge.jobEnded(2, 0, true);
    judge.ended(9);
    assertThat(judge.violations()).isEmpty();
  }
}
