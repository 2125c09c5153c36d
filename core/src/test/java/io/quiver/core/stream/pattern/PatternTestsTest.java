package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTestsTest {
  private static final int ITEMS = 20_000;
  private static final PatternTests TESTS = new PatternTests(StreamRules.STANDARD);

  private static void assertRecognised(
      StreamWindow window, AccessPattern pattern, Evidence evidence) {
    Recognition recognition = TESTS.recognize(window);
    assertThat(recognition.pattern()).as("%s", recognition).isEqualTo(pattern);
    assertThat(recognition.evidence()).as("%s", recognition).isEqualTo(evidence);
    assertThat(recognition.records()).isEqualTo(window.size());
  }

  private static void assertRecognised(int[] items, AccessPattern pattern, Evidence evidence) {
    assertRecognised(Windows.listed(ITEMS, items), pattern, evidence);
  }

  @Test
  void fewerReadsThanAWindowTellNothing() {
    assertRecognised(Windows.scan(0, 1, 99), AccessPattern.UNKNOWN, Evidence.TOO_FEW);
    assertRecognised(new int[0], AccessPattern.UNKNOWN, Evidence.TOO_FEW);
    assertRecognised(Windows.scan(0, 1, 100), AccessPattern.SEQUENTIAL, Evidence.RUNS);
  }

  @Test
  void oneItemReadAgainAndAgainTellsNothing() {
    assertRecognised(new int[100], AccessPattern.UNKNOWN, Evidence.TOO_FEW);
    int[] nineteen = IntStream.range(0, 100).map(read -> Math.min(18, read / 5)).toArray();
    assertRecognised(nineteen, AccessPattern.UNKNOWN, Evidence.TOO_FEW);
    int[] twenty = IntStream.range(0, 100).map(read -> read / 5).toArray();
    assertRecognised(twenty, AccessPattern.SEQUENTIAL, Evidence.RUNS);
  }

  @Test
  void popularItemsAreSkewedBeforePlacesAreLookedAt() {
    SeededRuns.run(
        20,
        random ->
            assertRecognised(
                Windows.skewed(ITEMS, 10, 100, random), AccessPattern.SKEWED, Evidence.REPEATS));
  }

  @Test
  void parallelReadersAreSequentialWhetherOrNotTheyAreToldApart() {
    SeededRuns.run(
        20,
        random -> {
          for (int readers : new int[] {2, 4, 8, 16, 32}) {
            int[] items = Windows.parallelScans(ITEMS, readers, 100, random);
            assertRecognised(items, AccessPattern.SEQUENTIAL, Evidence.MIXED_RUNS);
            int[] who = Arrays.stream(items).map(item -> item / (ITEMS / readers)).toArray();
            assertRecognised(
                Windows.byReaders(ITEMS, items, who), AccessPattern.SEQUENTIAL, Evidence.RUNS);
          }
        });
  }

  @Test
  void readersThatFollowEachOtherAreSequentialThoughTheyRepeat() {
    int[] items = IntStream.range(0, 100).map(read -> read / 2 + 30 * (read % 2)).toArray();
    int[] readers = IntStream.range(0, 100).map(read -> read % 2).toArray();
    assertRecognised(
        Windows.byReaders(ITEMS, items, readers), AccessPattern.SEQUENTIAL, Evidence.RUNS);
  }

  @Test
  void aFileReadInPiecesCountsOnce() {
    SeededRuns.run(
        20,
        random -> {
          int[] files = Windows.epoch(ITEMS, 25, random);
          int[] pieces = IntStream.range(0, 100).map(read -> files[read / 4]).toArray();
          assertThat(TESTS.recognize(Windows.listed(ITEMS, pieces)).pattern())
              .isNotEqualTo(AccessPattern.SEQUENTIAL);
          int[] scanned = IntStream.range(0, 100).map(read -> 500 + read / 4).toArray();
          assertRecognised(scanned, AccessPattern.SEQUENTIAL, Evidence.RUNS);
        });
  }

  @Test
  void aLoopOverAllItemsIsRandom() {
    int[] loop = IntStream.range(0, 100).map(read -> read % 30).toArray();
    assertRecognised(Windows.listed(30, loop), AccessPattern.RANDOM, Evidence.LOOPS);
    // A loop over a tenth of the items is not read as training reads.
    assertThat(TESTS.recognize(Windows.listed(300, loop)).pattern())
        .isNotEqualTo(AccessPattern.RANDOM);
  }

  @Test
  void blocksThatAreShuffledMoveOverTheItems() {
    SeededRuns.run(
        20,
        random -> {
          int[] items = new int[100];
          for (int block = 0; block < 10; block++) {
            int[] shuffled = Windows.epoch(10, 10, random);
            for (int read = 0; read < 10; read++) {
              items[10 * block + read] = 7000 + 10 * block + shuffled[read];
            }
          }
          assertRecognised(items, AccessPattern.SEQUENTIAL, Evidence.MOVING_WINDOW);
        });
  }

  @Test
  void halfAScanAndHalfRandomReadsAreSkewed() {
    SeededRuns.run(
        10,
        random -> {
          int[] drawn = Windows.uniform(ITEMS, 1000, random);
          int[] items =
              IntStream.range(0, 1000)
                  .map(read -> read % 2 == 0 ? 3000 + read / 2 : drawn[read])
                  .toArray();
          assertThat(TESTS.recognize(Windows.listed(ITEMS, items)).pattern())
              .isEqualTo(AccessPattern.SKEWED);
        });
  }

  @Test
  void aNarrowPopularPartIsSkewedByItsPlaces() {
    int[] items = Windows.epoch(4_000, 100, new Random(5));
    assertRecognised(items, AccessPattern.SKEWED, Evidence.OTHER_GAPS);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 365, ITEMS, 5_000_000})
  void uniformDrawsRaiseOneFalseAlarmInAHundredAtMost(int population) {
    Random random = new Random(1);
    int windows = 10_000;
    int alarms = 0;
    for (int window = 0; window < windows; window++) {
      StreamWindow reads = Windows.listed(population, Windows.uniform(population, 100, random));
      alarms += TESTS.recognize(reads).pattern() == AccessPattern.RANDOM ? 0 : 1;
    }
    // Three deviations above a share of 0.01.
    assertThat(alarms).isLessThanOrEqualTo(130);
  }

  @Test
  void epochsRaiseOneFalseAlarmInAHundredAtMost() {
    Random random = new Random(2);
    int[] epoch = Windows.epoch(200_000, 200_000, random);
    int alarms = 0;
    for (int window = 0; window < 2000; window++) {
      int[] items = Arrays.copyOfRange(epoch, 100 * window, 100 * window + 100);
      alarms +=
          TESTS.recognize(Windows.listed(200_000, items)).pattern() == AccessPattern.RANDOM ? 0 : 1;
    }
    assertThat(alarms).isLessThanOrEqualTo(33);
  }

  @Test
  void twoRepeatsAreChanceAndSixAreSkew() {
    int[] items = Windows.epoch(ITEMS, 100, new Random(9));
    items[60] = items[3];
    items[80] = items[5];
    assertThat(TESTS.recognize(Windows.listed(ITEMS, items)).pattern())
        .isEqualTo(AccessPattern.RANDOM);
    for (int pair = 0; pair < 4; pair++) {
      items[90 + pair] = items[20 + pair];
    }
    Recognition six = TESTS.recognize(Windows.listed(ITEMS, items));
    assertThat(six.evidence()).isEqualTo(Evidence.REPEATS);
    assertThat(six.statistic()).isEqualTo(6);
    assertThat(six.threshold()).isBetween(2.0, 3.0);
  }

  @Test
  void seenNamesAreRecognisedByTheirRanks() {
    SeededRuns.run(
        20,
        random -> {
          int[] readers = new int[100];
          int[] scan = Windows.scan(0, 1, 100);
          assertRecognised(
              Windows.read(Indexing.SEEN, 100, scan, readers),
              AccessPattern.SEQUENTIAL,
              Evidence.RUNS);
          int[] skewed = Windows.skewed(100_000, 5, 100, random);
          assertThat(TESTS.recognize(Windows.read(Indexing.SEEN, 0, skewed, readers)).pattern())
              .isEqualTo(AccessPattern.SKEWED);
        });
  }

  @Test
  void itemsOutsideThePopulationAreRankedInstead() {
    int[] items = Windows.scan(50, 1, 100);
    assertRecognised(Windows.listed(100, items), AccessPattern.SEQUENTIAL, Evidence.RUNS);
    int[] negative = Windows.scan(-70, 1, 100);
    assertRecognised(Windows.listed(100, negative), AccessPattern.SEQUENTIAL, Evidence.RUNS);
  }

  @Test
  void anyWindowIsRecognisedAsSomething() {
    SeededRuns.run(
        300,
        random -> {
          int size = 100 + random.nextInt(3) * random.nextInt(300);
          int population =
              switch (random.nextInt(5)) {
                case 0 -> random.nextInt(3);
                case 1 -> Integer.MAX_VALUE;
                default -> random.nextInt(1, 500);
              };
          int from = random.nextBoolean() ? 0 : random.nextInt();
          int range = 1 + random.nextInt(random.nextBoolean() ? 3 : 1_000_000);
          int[] items = random.ints(size, 0, range).map(item -> item + from).toArray();
          int[] readers = random.ints(size, 0, 1 + random.nextInt(size)).toArray();
          int[] ages = random.ints(size).toArray();
          Indexing indexing = List.of(Indexing.values()).get(random.nextInt(3));
          StreamWindow window = new StreamWindow(indexing, population, items, readers, ages);
          Recognition recognition = TESTS.recognize(window);
          assertThat(recognition.statistic()).isFinite();
          assertThat(recognition).isEqualTo(TESTS.recognize(window));
        });
  }

  @Test
  void populationsOfOneAndTwoItemsAreNeverSkewedByRepeatsAlone() {
    assertThat(TESTS.recognize(Windows.listed(1, new int[100])).pattern())
        .isEqualTo(AccessPattern.UNKNOWN);
    Random random = new Random(4);
    int[] alternating = IntStream.range(0, 100).map(read -> read % 2).toArray();
    assertThat(TESTS.recognize(Windows.listed(2, alternating)).pattern())
        .isNotEqualTo(AccessPattern.SKEWED);
    for (int window = 0; window < 200; window++) {
      assertThat(TESTS.recognize(Windows.listed(2, Windows.uniform(2, 100, random))).pattern())
          .isEqualTo(AccessPattern.RANDOM);
    }
  }

  @Test
  void theInputIsLeftAsItWas() {
    int[] items = Windows.skewed(ITEMS, 10, 100, new Random(6));
    int[] copy = items.clone();
    TESTS.recognize(Windows.listed(ITEMS, items));
    assertThat(items).isEqualTo(copy);
  }
}
