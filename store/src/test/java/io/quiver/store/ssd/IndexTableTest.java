package io.quiver.store.ssd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IndexTableTest {
  @Test
  void tagsThatWereChosenToLieTogetherDoNot() {
    int tags = 10_000;
    IndexTable table = new IndexTable(2 * tags);
    for (int i = 0; i < tags; i++) {
      table.add(tag(i), 1 + i);
    }
    int longest = 0;
    int run = 0;
    for (int slot = 0; slot < table.slots; slot++) {
      run = table.location(slot) == 0 ? 0 : run + 1;
      longest = Math.max(longest, run);
    }
    for (int i = 0; i < tags; i++) {
      assertThat(table.location(table.slotOf(tag(i)))).isEqualTo(1 + i);
    }
    table.free();
    assertThat(longest).as("slots that a lookup may walk past").isLessThan(1_000);
  }

  /** Returns a tag that shares its upper bits with all others. */
  private static long tag(int number) {
    return 0x1234_5678_0000_0000L | (long) number << 8;
  }
}
