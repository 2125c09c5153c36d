package io.quiver.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.order.Draw;
import io.quiver.core.order.EqualSteps;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.ListOrder;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.SamplerKind;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LedgerVerifierTest {

  @Test
  void ranksThatShareAnEpochProveItTogether() throws Exception {
    LedgerReport report =
        verify(
            ledger(0, 2, Ledgers.batch(0, 0, 0, 2), Ledgers.batch(1, 0, 3, 1)),
            ledger(1, 2, Ledgers.batch(0, 0, 3, 1), Ledgers.batch(1, 0, 2, 0)));
    assertThat(report.exactlyOnce()).isTrue();
    assertThat(report.epochs()).extracting(EpochReport::delivered).containsExactly(4, 4);
    assertThat(report.epochs()).extracting(EpochReport::batches).containsExactly(2L, 2L);
  }

  @Test
  void oneRankAloneIsIncomplete() throws Exception {
    LedgerReport report = verify(ledger(0, 2, Ledgers.batch(0, 0, 0, 2)));
    assertThat(report.exactlyOnce()).isFalse();
    assertThat(report.atMostOnce()).isTrue();
    assertThat(report.epochs().getFirst().firstMissing()).containsExactly(1, 3);
  }

  @Test
  void anItemThatCameTwiceIsNamed() throws Exception {
    LedgerReport report =
        verify(ledger(0, 1, Ledgers.batch(0, 0, 0, 1, 2), Ledgers.batch(0, 1, 3, 1, 1)));
    assertThat(report.atMostOnce()).isFalse();
    assertThat(report.epochs().getFirst().firstDoubled()).containsExactly(1);
    assertThat(report.epochs().getFirst().complete()).isTrue();
  }

  @Test
  void paddingNeitherDoublesNorCompletes() throws Exception {
    LedgerReport padded =
        verify(
            ledger(0, 2, Ledgers.batch(0, 0, 0, 2)),
            ledger(1, 2, new LedgerBatch(0, 0, new int[] {3, 1, 0}, 1)));
    assertThat(padded.exactlyOnce()).isTrue();
    assertThat(padded.epochs().getFirst().padded()).isEqualTo(1);
    LedgerReport onlyPadded =
        verify(ledger(0, 1, new LedgerBatch(0, 0, new int[] {3, 1, 2, 0}, 1)));
    assertThat(onlyPadded.exactlyOnce()).isFalse();
  }

  @Test
  void aJobThatWentOnWithOtherRanksIsOneJob() throws Exception {
    LedgerReport report =
        verify(
            ledger(0, 1, Ledgers.batch(0, 0, 0, 1, 2, 3), Ledgers.batch(1, 0, 2)),
            ledger(0, 2, Ledgers.batch(1, 0, 0), Ledgers.batch(2, 0, 1, 0)),
            ledger(1, 2, Ledgers.batch(1, 0, 1, 3), Ledgers.batch(2, 0, 2, 3)));
    assertThat(report.exactlyOnce()).isTrue();
    assertThat(report.epochs()).hasSize(3);
  }

  @Test
  void aTornTailIsToldAndCountsAsNotDelivered() throws Exception {
    byte[] whole = ledger(0, 1, Ledgers.batch(0, 0, 0, 1), Ledgers.batch(0, 1, 2, 3));
    LedgerReport report = verify(Arrays.copyOf(whole, whole.length - 1));
    assertThat(report.torn()).isEqualTo(1);
    assertThat(report.epochs().getFirst().missing()).isEqualTo(2);
  }

  @Test
  void ledgersOfDifferentJobsAreNotMixed() throws Exception {
    byte[] other =
        Ledgers.write(
            new LedgerHeader("resnet-1", "0123abcd", 4, 43, SamplerKind.SUBSTITUTE, 0, 1),
            List.of());
    byte[] one = ledger(0, 1);
    assertThatThrownBy(() -> verify(one, other)).hasMessageContaining("different jobs");
  }

  @Test
  void anEmptyDataSetIsExactlyOnce() throws Exception {
    byte[] empty = Ledgers.write(Ledgers.header(0, 0, 1), List.of(Ledgers.batch(0, 0)));
    assertThat(verify(empty).exactlyOnce()).isTrue();
  }

  @Test
  void randomLossesAndRepeatsAreCounted() {
    SeededRuns.run(
        100,
        random -> {
          int items = 1 + random.nextInt(500);
          int[] times = new int[items];
          List<LedgerBatch> batches = new ArrayList<>();
          for (int step = random.nextInt(20); step > 0; step--) {
            int[] named = random.ints(random.nextInt(60), 0, items).toArray();
            Arrays.stream(named).forEach(item -> times[item]++);
            batches.add(Ledgers.batch(7, step, named));
          }
          batches.add(Ledgers.batch(7, 100));
          EpochReport epoch = verify(split(items, batches, random)).epochs().getFirst();
          assertThat(epoch.epoch()).isEqualTo(7);
          assertThat(epoch.missing()).isEqualTo(Arrays.stream(times).filter(n -> n == 0).count());
          assertThat(epoch.doubled()).isEqualTo(Arrays.stream(times).filter(n -> n > 1).count());
          assertThat(epoch.delivered() + epoch.missing()).isEqualTo(items);
        });
  }

  private static final ItemList LIST = new ItemList(5, new int[] {2, 2, 0, 4, 2, 0});

  private static byte[] listed(LedgerList list, int rank, LedgerBatch... batches) throws Exception {
    return Ledgers.write(Ledgers.listHeader(5, rank, 2), List.of(list), List.of(batches));
  }

  @Test
  void ranksProveAListTogetherOfWhichOneHasTheEntries() throws Exception {
    byte[] one = listed(LedgerList.whole(3, LIST), 0, Ledgers.batch(3, 0, 2, 0, 2));
    byte[] other =
        listed(LedgerList.named(3, LIST), 1, new LedgerBatch(3, 0, new int[] {2, 4, 0, 2}, 1));
    LedgerReport report = verify(one, other);
    EpochReport epoch = report.epochs().getFirst();
    assertThat(report.kind()).isEqualTo("list");
    assertThat(report.exactlyOnce()).isTrue();
    assertThat(epoch.expected()).isEqualTo(6);
    assertThat(epoch.padded()).isEqualTo(1);
    assertThat(epoch.coverage(5)).isEqualTo(0.6);
    assertThat(verify(one).epochs().getFirst().firstMissing()).containsExactly(0, 2, 4);
    assertThatThrownBy(() -> verify(other)).hasMessageContaining("name that of rank 0");
  }

  @Test
  void whatAListHasTooOftenOrNotAtAllIsNamed() throws Exception {
    byte[] wrong = listed(LedgerList.whole(3, LIST), 0, Ledgers.batch(3, 0, 2, 2, 2, 2, 1, 0, 0));
    LedgerReport report = verify(wrong);
    EpochReport epoch = report.epochs().getFirst();
    assertThat(report.atMostOnce()).isFalse();
    assertThat(epoch.firstDoubled()).containsExactly(2, 1);
    assertThat(epoch.firstMissing()).containsExactly(4);
    assertThat(epoch.missing()).isEqualTo(1);
    assertThat(epoch.delivered()).isEqualTo(5);
  }

  @Test
  void anEpochThatFollowsTwoListsProvesNothing() throws Exception {
    ItemList other = new ItemList(5, new int[] {1});
    byte[] one = listed(LedgerList.whole(3, LIST), 0, Ledgers.batch(3, 0, 2));
    byte[] two = listed(LedgerList.whole(3, other), 1, Ledgers.batch(3, 0, 1));
    assertThatThrownBy(() -> verify(one, two)).hasMessageContaining("two lists");
    byte[] epochs =
        Ledgers.write(
            new LedgerHeader("shade-1", "0123abcd", 5, 42, SamplerKind.STRICT, 0, 1), List.of());
    assertThatThrownBy(() -> verify(one, epochs)).hasMessageContaining("different jobs");
  }

  @Test
  void aListOrderIsProvenByTheLedgersOfItsRanks() {
    SeededRuns.run(
        30,
        random -> {
          int items = 1 + random.nextInt(200);
          ItemList list =
              new ItemList(items, random.ints(1 + random.nextInt(400), 0, items).toArray());
          OrderSetup setup =
              OrderSetup.single(items, 1, 1 + random.nextInt(30), 42)
                  .withEqualSteps(EqualSteps.PAD);
          List<byte[]> ledgers = new ArrayList<>();
          for (int rank = 0; rank < 3; rank++) {
            ListOrder order = ListOrder.begin(setup.withRank(rank, 3), 1, list, 5 * rank);
            List<LedgerBatch> batches = new ArrayList<>();
            while (!order.finished()) {
              Draw draw = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
              int[] delivered = draw.missing(new int[0]);
              batches.add(LedgerBatch.of(1, batches.size(), draw, delivered));
              order.settle(draw, delivered);
            }
            LedgerList named = rank == 0 ? LedgerList.whole(1, list) : LedgerList.named(1, list);
            ledgers.add(Ledgers.write(Ledgers.listHeader(items, rank, 3), List.of(named), batches));
          }
          LedgerReport report = verify(ledgers.toArray(new byte[0][]));
          assertThat(report.exactlyOnce()).isTrue();
          assertThat(report.epochs().getFirst().distinct()).isEqualTo(list.distinct());
        });
  }

  private static byte[][] split(int items, List<LedgerBatch> batches, Random random)
      throws Exception {
    List<List<LedgerBatch>> ranks = List.of(new ArrayList<>(), new ArrayList<>());
    batches.forEach(batch -> ranks.get(random.nextInt(2)).add(batch));
    return new byte[][] {
      Ledgers.write(Ledgers.header(items, 0, 2), ranks.get(0)),
      Ledgers.write(Ledgers.header(items, 1, 2), ranks.get(1))
    };
  }

  private static byte[] ledger(int rank, int ranks, LedgerBatch... batches) throws Exception {
    return Ledgers.write(Ledgers.header(4, rank, ranks), List.of(batches));
  }

  private static LedgerReport verify(byte[]... ledgers) throws Exception {
    List<LedgerReader> readers = new ArrayList<>();
    for (byte[] ledger : ledgers) {
      readers.add(Ledgers.open(ledger));
    }
    return LedgerVerifier.verify(readers);
  }
}
