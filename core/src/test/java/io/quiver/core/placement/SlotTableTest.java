package io.quiver.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quiver.core.hash.ContentHash;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Checks the promises of placement: balance, weights, and no movement beyond what a change needs.
 */
final class SlotTableTest {
  private static final double SLOTS = SlotTable.SLOTS;

  @Test
  void everyBlobBelongsToTheOwnerOfItsFirstSixteenBits() {
    SlotTable table = SlotTable.of(members(7, "n"));
    SeededRuns.run(
        100,
        random -> {
          byte[] bytes = new byte[ContentHash.BYTES];
          random.nextBytes(bytes);
          int slot = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
          assertThat(table.owner(ContentHash.of(bytes))).isEqualTo(table.owner(slot));
        });
  }

  @Test
  void theOrderOfTheListDoesNotMatter() {
    SeededRuns.run(
        5,
        random -> {
          List<Member> members = randomMembers(random, 2 + random.nextInt(20));
          SlotTable table = SlotTable.of(members);
          Collections.shuffle(members, random);
          assertThat(SlotTable.of(members)).isEqualTo(table).hasSameHashCodeAs(table);
        });
  }

  @Test
  void sharesFollowTheWeightsWithinFiveStandardDeviations() {
    SeededRuns.run(
        5,
        random -> {
          SlotTable table = SlotTable.of(randomMembers(random, 2 + random.nextInt(40)));
          double total = table.members().stream().mapToInt(Member::weight).sum();
          int[] shares = table.shares();
          assertThat(IntStream.of(shares).sum()).isEqualTo(SlotTable.SLOTS);
          for (int i = 0; i < shares.length; i++) {
            double part = table.members().get(i).weight() / total;
            double deviation = Math.sqrt(SLOTS * part * (1 - part));
            assertThat(shares[i] - SLOTS * part)
                .as("%s", table.members().get(i))
                .isBetween(-5 * deviation - 1, 5 * deviation + 1);
          }
        });
  }

  @Test
  void sixteenEqualServersDifferByLessThanATenth() {
    SeededRuns.run(
        3,
        random -> {
          int[] shares = SlotTable.of(members(16, "s" + random.nextInt() + "-")).shares();
          for (int share : shares) {
            assertThat(share / (SLOTS / 16)).isBetween(0.9, 1.1);
          }
        });
  }

  @Test
  void aMemberThatLeavesGivesUpOnlyItsOwnSlots() {
    SeededRuns.run(
        5,
        random -> {
          List<Member> members = randomMembers(random, 2 + random.nextInt(20));
          SlotTable before = SlotTable.of(members);
          Member gone = members.remove(random.nextInt(members.size()));
          SlotTable after = SlotTable.of(members);
          for (int slot = 0; slot < SlotTable.SLOTS; slot++) {
            Member owner = before.members().get(before.owner(slot));
            if (!owner.equals(gone)) {
              assertThat(after.members().get(after.owner(slot))).isEqualTo(owner);
            }
          }
        });
  }

  @Test
  void aMemberThatGrowsOnlyGains() {
    SeededRuns.run(
        5,
        random -> {
          List<Member> members = randomMembers(random, 2 + random.nextInt(20));
          SlotTable before = SlotTable.of(members);
          int place = random.nextInt(members.size());
          Member grown = members.get(place);
          members.set(place, new Member(grown.id(), grown.weight() * 2));
          SlotTable after = SlotTable.of(members);
          for (int slot = 0; slot < SlotTable.SLOTS; slot++) {
            String now = after.members().get(after.owner(slot)).id();
            String then = before.members().get(before.owner(slot)).id();
            assertThat(now.equals(then) || now.equals(grown.id())).isTrue();
          }
        });
  }

  @Test
  void aCommonFactorOfAllWeightsChangesNothing() {
    SeededRuns.run(
        3,
        random -> {
          List<Member> members = randomMembers(random, 10);
          SlotTable table = SlotTable.of(members);
          SlotTable scaled =
              SlotTable.of(
                  members.stream().map(m -> new Member(m.id(), m.weight() * 1000)).toList());
          for (int slot = 0; slot < SlotTable.SLOTS; slot++) {
            assertThat(scaled.owner(slot)).isEqualTo(table.owner(slot));
          }
        });
  }

  @Test
  void aThousandServersArePlacedQuickly() {
    List<Member> equal = members(1000, "node-");
    List<Member> different =
        IntStream.range(0, 1000).mapToObj(i -> new Member("node-" + i, 1000 + i)).toList();
    long start = System.nanoTime();
    int[] shares = SlotTable.of(equal).shares();
    SlotTable.of(different);
    // Both take about half a second on one core; the bound leaves room for a busy machine.
    assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
    assertThat(IntStream.of(shares).allMatch(share -> share > 20 && share < 120)).isTrue();
  }

  @Test
  void refusesMembershipsThatMakeNoSense() {
    assertThatIllegalArgumentException().isThrownBy(() -> SlotTable.of(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlotTable.of(List.of(Member.of("a"), new Member("a", 2))))
        .withMessageContaining("twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlotTable.of(members(SlotTable.MAX_MEMBERS + 1, "n")))
        .withMessageContaining("4097");
    for (String id : List.of("", " ", "a b", "ä", "x".repeat(256))) {
      assertThatIllegalArgumentException().isThrownBy(() -> Member.of(id));
    }
    for (int weight : new int[] {-1, 0, Member.MAX_WEIGHT + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Member("a", weight))
          .withMessageContaining("weight " + weight);
    }
  }

  private static List<Member> members(int count, String prefix) {
    return IntStream.range(0, count).mapToObj(i -> Member.of(prefix + i)).toList();
  }

  private static List<Member> randomMembers(Random random, int count) {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(new Member("m" + random.nextLong(), 1 + random.nextInt(8)));
    }
    return members;
  }
}
