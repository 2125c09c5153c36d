package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.importance.ImportanceLists.Setup;
import io.quiver.core.keep.Ranked;
import io.quiver.core.order.ItemList;
import org.junit.jupiter.api.Test;

class ListCurveTest {
  @Test
  void aSampleOfTheItemsTellsWhatAllOfThemWould() {
    int items = 40_000;
    ImportanceLists lists = ImportanceLists.begin(Setup.of(items, 128, 3, ImportanceMode.SHADE));
    lists.begin(0);
    double[] unread = lists.unread();
    assertThat(unread).hasSize(ListCurve.STEPS + 1);
    assertThat(unread[0]).isEqualTo(1);
    assertThat(unread[ListCurve.STEPS]).isZero();
    for (int held : new int[] {2, 4, 8, 12}) {
      Ranked cache = new Ranked((long) items * held / ListCurve.STEPS);
      double hits = 0;
      for (int epoch = 1; epoch < 6; epoch++) {
        ImportanceEpoch now = lists.begin(epoch);
        int here = 0;
        for (int place = 0; place < items; place++) {
          int item = now.list().at(place);
          long priority = now.priority(place);
          if (cache.holds(item)) {
            here++;
            cache.rank(item, priority);
          } else if (priority > 0) {
            cache.offer(item, 1, priority, victim -> {});
          }
        }
        hits = (double) here / items;
      }
      assertThat(unread[held]).isCloseTo(1 - hits, within(0.025));
    }
  }

  @Test
  void repeatsThatLieTogetherNeedLittleSpace() {
    int[] entries = new int[3_000];
    for (int place = 0; place < entries.length; place++) {
      entries[place] = place / 3;
    }
    double[] unread = ListCurve.of(new ItemList(4_000, entries), new ItemList(4_000, new int[0]));
    assertThat(unread[1]).isCloseTo(1.0 / 3, within(0.03));
  }

  @Test
  void noListIsReadFromTheStoreWhenEverythingIsCached() {
    ItemList once = new ItemList(5, new int[] {4, 3, 2, 1, 0});
    assertThat(ListCurve.of(once, once)[ListCurve.STEPS]).isZero();
    assertThat(ListCurve.of(new ItemList(5, new int[0]), once)).startsWith(1, 1);
  }
}
