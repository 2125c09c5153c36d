package io.quiver.simulator.igt.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import io.quiver.simulator.igt.pattern.MixedReads.Turns;
import io.quiver.simulator.igt.pattern.ReadSource.Read;
import io.quiver.simulator.igt.pattern.ZipfReads.Layout;
import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Drawn reads have the pattern that they are named by. */
class ReadSourceTest {
  private static int[] items(ReadSource source, int count) {
    return Stream.generate(source::next).limit(count).mapToInt(Read::item).toArray();
  }

  private static int[] all(int items) {
    return IntStream.range(0, items).toArray();
  }

  private static int[] sorted(int[] items) {
    return Arrays.stream(items).sorted().toArray();
  }

  @Test
  void everyEpochReadsEachItemOnceInAnotherOrder() {
    SeededRuns.run(
        10,
        random -> {
          int[] window = items(new EpochReads(100, random), 400);
          // The epoch that was begun ends after some reads; the ones after it are whole.
          assertThat(IntStream.rangeClosed(1, 100).anyMatch(start -> isEpoch(window, start)))
              .isTrue();
          assertThat(Arrays.copyOfRange(window, 100, 200))
              .isNotEqualTo(Arrays.copyOfRange(window, 200, 300));
        });
  }

  private static boolean isEpoch(int[] window, int start) {
    return Stream.of(0, 100, 200)
        .map(epoch -> Arrays.copyOfRange(window, start + epoch, start + epoch + 100))
        .allMatch(epoch -> Arrays.equals(sorted(epoch), all(100)));
  }

  @Test
  void aScanReadsItsPartInOrderAndBeginsAgain() {
    assertThat(items(new ScanReads(5, 15, 3, 2), 8)).containsExactly(11, 14, 5, 8, 11, 14, 5, 8);
  }

  @Test
  void aBufferShufflesAScanWithoutLosingItems() {
    SeededRuns.run(
        10,
        random -> {
          BufferedShuffle reads = new BufferedShuffle(200, 16, random);
          int item = -1;
          while (item != 199) {
            item = reads.next().item();
          }
          int[] window = items(reads, 600);
          // The rest of the scan before comes first.
          int[] scan =
              IntStream.range(0, 16)
                  .mapToObj(start -> Arrays.copyOfRange(window, start, start + 200))
                  .filter(each -> Arrays.equals(sorted(each), all(200)) && isNearlyInOrder(each))
                  .findFirst()
                  .orElseThrow();
          assertThat(scan).isNotEqualTo(all(200));
        });
  }

  private static boolean isNearlyInOrder(int[] scan) {
    return IntStream.range(0, scan.length).allMatch(at -> scan[at] < at + 16);
  }

  @Test
  void piecesOfAnItemFollowEachOther() {
    assertThat(items(new PieceReads(new ScanReads(0, 9, 1, 0), 3), 7))
        .containsExactly(0, 0, 0, 1, 1, 1, 2);
  }

  @Test
  void readersOfOneLoaderTakeTurnsAndOthersDoNot() {
    SeededRuns.run(
        10,
        random -> {
          List<ReadSource> readers =
              IntStream.range(0, 4)
                  .<ReadSource>mapToObj(
                      reader -> new ScanReads(100 * reader, 100 * reader + 100, 1, 0))
                  .toList();
          MixedReads rounds = new MixedReads(readers, Turns.ROUNDS, true, random);
          for (int round = 0; round < 5; round++) {
            int[] turns = Stream.generate(rounds::next).limit(4).mapToInt(Read::reader).toArray();
            assertThat(sorted(turns)).containsExactly(0, 1, 2, 3);
          }
          MixedReads any = new MixedReads(readers, Turns.ANY, false, random);
          assertThat(Stream.generate(any::next).limit(50)).allMatch(read -> read.reader() == 0);
        });
  }

  @Test
  void zipfReadsTheFirstRankInProportionToTheOthers() {
    SeededRuns.run(
        5,
        random -> {
          int[] counts = new int[1000];
          for (int item : items(new ZipfReads(1000, 1, Layout.SCATTERED, random), 20_000)) {
            counts[item]++;
          }
          int[] ranked = sorted(counts);
          // The most popular of 1,000 has 1/7.49 of the reads, the next one half of that.
          assertThat(ranked[999]).isBetween(2300, 3050);
          assertThat(ranked[998]).isBetween(1050, 1650);
        });
  }

  @Test
  void popularItemsLieTogetherOrApart() {
    SeededRuns.run(
        5,
        random -> {
          assertThat(nearShare(new ZipfReads(1000, 1.2, Layout.ADJACENT, random)))
              .isGreaterThan(0.5);
          assertThat(nearShare(new ZipfReads(1000, 0, Layout.SCATTERED, random))).isLessThan(0.1);
        });
  }

  /** Returns the share of reads within ten places of the most frequent item of an end. */
  private static double nearShare(ReadSource source) {
    int[] counts = new int[1000];
    int[] reads = items(source, 5000);
    for (int item : reads) {
      counts[item]++;
    }
    int most = IntStream.range(0, 1000).reduce(0, (a, b) -> counts[b] > counts[a] ? b : a);
    long near =
        Arrays.stream(reads)
            .map(item -> Math.floorMod(item - most, 1000))
            .filter(distance -> distance <= 10)
            .count();
    return (double) near / reads.length;
  }

  @Test
  void windowsOfUnlistedItemsHaveTheRanksOfNamesSeen() {
    KnownReads scan =
        KnownReads.sequential("scan", 100, random -> new ScanReads(10, 100, 7, 0)).unlisted();
    WindowSource source = new WindowSource(scan, new Random(1));
    StreamWindow first = source.next(5);
    assertThat(first.indexing()).isEqualTo(Indexing.SEEN);
    assertThat(first.population()).isEqualTo(5);
    assertThat(first.indices()).containsExactly(0, 1, 2, 3, 4);
    assertThat(first.agesMillis()).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(source.next(5).indices()).containsExactly(5, 6, 7, 8, 9);
    assertThat(source.next(5).population()).isEqualTo(13);
  }
}
