package io.quiver.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OwnedSlotsTest {
  private static final Member A = Member.of("a");
  private static final Member B = Member.of("b");

  @Test
  void everySlotHasOneOwner() {
    SlotTable table = SlotTable.of(List.of(A, B));
    OwnedSlots ofA = OwnedSlots.of(table, "a");
    OwnedSlots ofB = OwnedSlots.of(table, "b");
    assertThat(IntStream.range(0, SlotTable.SLOTS))
        .allMatch(slot -> ofA.has(slot) != ofB.has(slot));
    assertThat(ofA.shareIn(ofB)).isZero();
  }

  @Test
  void aServerThatNoTableNamesOwnsAll() {
    OwnedSlots all = OwnedSlots.of(SlotTable.of(List.of(A)), "new");
    assertThat(IntStream.range(0, SlotTable.SLOTS)).allMatch(all::has);
  }

  @Test
  void aJoinTakesTheShareOfTheNewServer() {
    OwnedSlots before = OwnedSlots.of(SlotTable.of(List.of(A)), "a");
    OwnedSlots after = OwnedSlots.of(SlotTable.of(List.of(A, new Member("b", 3))), "a");
    assertThat(before.shareIn(after)).isCloseTo(0.25, within(0.01));
    assertThat(after.shareIn(before)).isEqualTo(1);
  }
}
