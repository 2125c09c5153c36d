package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.ItemList;
import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PackedScoresTest {
  @Test
  void scoresOfAnyBatchAndMeansComeBackAsTheyWere() {
    SeededRuns.run(
        30,
        random -> {
          int batch = 1 + random.nextInt(3 * PackedScores.MOST_CODES);
          boolean means = random.nextInt(3) == 0;
          int[] scores = new int[1 + random.nextInt(200)];
          PackedScores packed = new PackedScores(scores.length);
          for (int i = 0; i < 300; i++) {
            int item = random.nextInt(scores.length);
            int score = random.nextInt(5) == 0 ? 0 : RankScore.score(random.nextInt(batch));
            score += means && i > 200 ? random.nextInt(3) : 0;
            scores[item] = score;
            packed.set(item, score);
          }
          PackedScores copy = packed.copy();
          packed.set(0, RankScore.score(3) + 1);
          assertThat(copy.toArray()).containsExactly(scores);
          assertThat(PackedScores.of(scores).toArray()).containsExactly(scores);
          scores[0] = RankScore.score(3) + 1;
          assertThat(packed.toArray()).containsExactly(scores);
        });
  }

  @Test
  void nextUsesAreRoundedUpByLessThanAStep() {
    SeededRuns.run(
        4,
        random -> {
          int items = 20_000 + random.nextInt(60_000);
          ItemList list = new ItemList(items, random.ints(items, 0, items).toArray());
          ItemList following = new ItemList(items, random.ints(items, 0, items).toArray());
          NextUses uses = NextUses.of(7, list, following);
          PackedUses packed = new PackedUses(uses, 7, items);
          int unit = Math.ceilDiv(2 * items, 65_535);
          for (int place = 0; place < items; place++) {
            long exact = uses.position(place);
            long off = packed.position(place) - exact;
            assertThat(off).isBetween(0L, exact < 0 ? 0L : unit - 1L);
          }
        });
  }

  @Test
  void aJobTakesSixteenBytesForEachSample() throws IllegalAccessException {
    int items = 100_000;
    ImportanceLists lists =
        ImportanceLists.begin(ImportanceLists.Setup.of(items, 100, 1, ImportanceMode.SHADE));
    for (int epoch = 0; epoch < 3; epoch++) {
      int[] entries = lists.begin(epoch).list().entries();
      for (int first = 0; first < items; first += 100) {
        int[] some = Arrays.copyOfRange(entries, first, first + 100);
        lists.scores().report(some, Arrays.stream(some).asDoubleStream().toArray());
      }
    }
    assertThat(ReachableArrays.bytes(lists)).isBetween(16L * items, 16L * items + 1000);
  }
}
