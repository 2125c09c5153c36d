package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.importance.ImportanceLists.Setup;
import io.quiver.core.keep.PriorityScales;
import io.quiver.core.order.ItemList;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ImportanceListsTest {
  private static final int ITEMS = 2_000;
  private static final int STEP = 32;
  private static final long SEED = 11;

  private static ImportanceLists lists(ImportanceMode mode) {
    return ImportanceLists.begin(Setup.of(ITEMS, STEP, SEED, mode));
  }

  private static ImportanceEpoch now(ImportanceLists lists) {
    return Objects.requireNonNull(lists.current());
  }

  /** Reports losses of an epoch: items with larger numbers are harder. */
  private static void learn(ImportanceLists lists) {
    int[] entries = now(lists).list().entries();
    Random noise = new Random(now(lists).number());
    for (int from = 0; from < entries.length; from += STEP) {
      int[] batch = Arrays.copyOfRange(entries, from, Math.min(entries.length, from + STEP));
      double[] losses = Arrays.stream(batch).mapToDouble(i -> i + 9 * noise.nextDouble()).toArray();
      lists.scores().report(batch, losses);
    }
  }

  @Test
  void theListOfAnEpochIsThatWhichWasForeseenInTheOneBefore() {
    ImportanceLists lists = lists(ImportanceMode.SHADE);
    for (int epoch = 0; epoch < 4; epoch++) {
      lists.begin(epoch);
      ItemList foreseen = lists.following();
      learn(lists);
      lists.begin(epoch + 1);
      assertThat(now(lists).list()).isEqualTo(foreseen);
    }
  }

  @Test
  void drawingAtTheBoundaryUsesTheLatestScores() {
    ImportanceLists ahead = lists(ImportanceMode.SHADE);
    ImportanceLists boundary = lists(ImportanceMode.SHADE_BOUNDARY);
    ahead.begin(0);
    boundary.begin(0);
    assertThat(now(boundary).list()).isEqualTo(now(ahead).list());
    assertThat(boundary.following().size()).isZero();
    learn(ahead);
    learn(boundary);
    ahead.begin(1);
    boundary.begin(1);
    assertThat(hardShare(now(boundary).list())).isGreaterThan(hardShare(now(ahead).list()) + 0.02);
    ahead.begin(2);
    assertThat(hardShare(now(ahead).list())).isGreaterThan(0.52);
  }

  private static double hardShare(ItemList list) {
    return (double) Arrays.stream(list.entries()).filter(item -> item >= ITEMS / 2).count()
        / list.size();
  }

  @Test
  void theSoonerASampleIsUsedAgainTheHigherItsPriority() {
    ImportanceLists lists = lists(ImportanceMode.SHADE);
    lists.begin(0);
    learn(lists);
    lists.begin(1);
    int[] known = new int[2 * ITEMS];
    System.arraycopy(now(lists).list().entries(), 0, known, 0, ITEMS);
    System.arraycopy(lists.following().entries(), 0, known, ITEMS, ITEMS);
    for (int place = 0; place < ITEMS; place++) {
      int use = place + 1;
      while (use < known.length && known[use] != known[place]) {
        use++;
      }
      long expected = use == known.length ? 0 : PriorityScales.MAX_PRIORITY - (ITEMS + (long) use);
      assertThat(now(lists).priority(place)).isEqualTo(expected);
    }
  }

  @Test
  void thePaperKeepsByTheLatestScore() {
    ImportanceLists lists = lists(ImportanceMode.SHADE_PAPER);
    lists.begin(0);
    assertThat(now(lists).priority(0)).isZero();
    int first = now(lists).list().at(0);
    int other = (first + 1) % ITEMS;
    lists.scores().report(new int[] {first, other}, new double[] {2, 1});
    assertThat(now(lists).priority(0)).isEqualTo(RankScore.score(1));
    lists.scores().report(new int[] {first, other}, new double[] {1, 2});
    assertThat(now(lists).priority(0)).isEqualTo(RankScore.score(0));
  }

  @Test
  void weightsAreThoseOfTheScoresThatTheListWasDrawnBy() {
    ImportanceLists lists = lists(ImportanceMode.SHADE_PAPER);
    lists.begin(0);
    learn(lists);
    double sum = 0;
    int epochs = 300;
    for (int epoch = 1; epoch <= epochs; epoch++) {
      lists.begin(epoch);
      // The model has moved on since the list was drawn.
      lists.scores().report(new int[] {epoch, 2 * epoch}, new double[] {epoch % 2, 0.5});
      for (int item : now(lists).list().entries()) {
        sum += now(lists).weight(item) * item;
      }
    }
    assertThat(sum / epochs / ITEMS).isCloseTo((ITEMS - 1) / 2.0, within(3.0));
  }

  @ParameterizedTest
  @EnumSource
  void aSavedStateGoesOnAsIfNothingHadHappened(ImportanceMode mode) {
    ImportanceLists whole = lists(mode);
    whole.begin(0);
    learn(whole);
    whole.begin(1);
    ImportanceLists.Saved saved = whole.save();
    ImportanceLists again = ImportanceLists.restored(Setup.of(ITEMS, STEP, SEED, mode), saved);
    assertThat(now(again).list()).isEqualTo(now(whole).list());
    for (int place = 0; place < ITEMS; place++) {
      assertThat(now(again).priority(place)).isEqualTo(now(whole).priority(place));
      assertThat(now(again).weight(place)).isEqualTo(now(whole).weight(place));
    }
    for (int epoch = 1; epoch < 4; epoch++) {
      learn(whole);
      learn(again);
      whole.begin(epoch + 1);
      again.begin(epoch + 1);
      assertThat(now(again).list()).isEqualTo(now(whole).list());
    }
  }

  @Test
  void aStateOfAnotherDataSetIsRefused() {
    ImportanceLists.Saved saved = lists(ImportanceMode.SHADE).save();
    Setup other = Setup.of(ITEMS + 1, STEP, SEED, ImportanceMode.SHADE);
    assertThatThrownBy(() -> ImportanceLists.restored(other, saved))
        .hasMessage("saved scores of 2000 items; the data set has 2001");
  }

  @Test
  void afterTheReturnToUniformEverySampleComesOnceAndCountsAlike() {
    ImportanceLists lists = lists(ImportanceMode.SHADE);
    lists.begin(0);
    learn(lists);
    lists.returnToUniform();
    lists.begin(1);
    lists.begin(2);
    assertThat(now(lists).list().distinct()).isEqualTo(ITEMS);
    assertThat(now(lists).weight(7)).isEqualTo(1);
    assertThat(
            ImportanceLists.restored(
                    Setup.of(ITEMS, STEP, SEED, ImportanceMode.SHADE), lists.save())
                .isUniform())
        .isTrue();
  }
}
