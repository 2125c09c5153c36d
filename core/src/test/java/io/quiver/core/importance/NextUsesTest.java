package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.keep.Ranked;
import io.quiver.core.order.ItemList;
import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NextUsesTest {
  @Test
  void thePriorityOfAnEntryFollowsFromTheNextUseOfItsItem() {
    SeededRuns.run(
        50,
        random -> {
          int items = 1 + random.nextInt(20);
          int[] both = new int[2 * (1 + random.nextInt(40))];
          Arrays.setAll(both, any -> random.nextInt(items));
          int half = both.length / 2;
          ItemList list = new ItemList(items, Arrays.copyOf(both, half));
          ItemList following = new ItemList(items, Arrays.copyOfRange(both, half, both.length));
          NextUses uses = NextUses.of(1_000, list, following);
          for (int place = 0; place < half; place++) {
            assertThat(uses.priority(place)).isEqualTo(expected(both, place));
          }
        });
  }

  private static long expected(int[] entries, int place) {
    for (int later = place + 1; later < entries.length; later++) {
      if (entries[later] == entries[place]) {
        return -(1_000 + later);
      }
    }
    return Ranked.UNKNOWN;
  }
}
