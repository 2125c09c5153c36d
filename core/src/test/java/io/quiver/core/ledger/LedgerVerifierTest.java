package io.quiver.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
