package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.bound.Bounds;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamMergeTest {
  private static final int ITEMS = 20_000;
  private static final int READS = 100;
  private static final PatternTests TESTS = new PatternTests(StreamRules.STANDARD);

  private static Recognition told(AccessPattern pattern, int records) {
    return new Recognition(pattern, Evidence.GAPS, 0.1, 0.2, records);
  }

  private static StreamSummary door(
      Recognition recognition, double rate, @Nullable StreamWindow window) {
    return new StreamSummary(
        "0123456789abcdef",
        "/data",
        recognition,
        3,
        1000,
        1L << 30,
        2,
        rate,
        0.5,
        0.001,
        0.1,
        4,
        80,
        20,
        0,
        10,
        5,
        window);
  }

  private static StreamSummary door(StreamWindow window) {
    return door(TESTS.recognize(window), 10, window);
  }

  private static AccessPattern pattern(StreamSummary... doors) {
    return StreamMerge.of(List.of(doors)).recognition().pattern();
  }

  /** Returns what doors see if the reads of a stream are dealt to them in turn. */
  private static List<StreamSummary> dealt(int doors, int[] items) {
    return IntStream.range(0, doors)
        .mapToObj(door -> {
          int[] own =
              IntStream.range(0, items.length)
                  .filter(read -> read % doors == door)
                  .map(read -> items[read])
                  .toArray();
          int[] ages =
              IntStream.range(0, items.length)
                  .filter(read -> read % doors == door)
                  .map(read -> items.length - read)
                  .toArray();
          return door(new StreamWindow(Indexing.LISTED, ITEMS, own, new int[own.length], ages));
        })
        .toList();
  }

  @Test
  void oneDoorIsToldAsItIs() {
    StreamSummary only = door(told(AccessPattern.RANDOM, 100), 5, null);
    assertThat(StreamMerge.of(List.of(only))).isSameAs(only);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 8, 16})
  void aScanThatIsDealtToDoorsIsSequential(int doors) {
    StreamSummary merged = StreamMerge.of(dealt(doors, Windows.scan(500, 1, doors * READS)));
    assertThat(merged.recognition().pattern()).isEqualTo(AccessPattern.SEQUENTIAL);
    if (doors > 1) {
      assertThat(merged.recognition().evidence()).isEqualTo(Evidence.MERGED);
      assertThat(merged.recognition().records()).isEqualTo(doors * READS);
    }
  }

  @Test
  void aScanOfWhichEachDoorSeesTooLittleIsSequentialTogether() {
    List<StreamSummary> doors = dealt(16, Windows.scan(500, 1, 16 * 20));
    assertThat(doors).allMatch(door -> door.recognition().pattern() == AccessPattern.UNKNOWN);
    assertThat(StreamMerge.of(doors).recognition().pattern()).isEqualTo(AccessPattern.SEQUENTIAL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void trainingAndQueriesAreRecognisedWhateverTheNumberOfDoors(int doors) {
    SeededRuns.run(
        5,
        random -> {
          int[] skewed = Windows.skewed(ITEMS, 20, doors * READS, random);
          assertThat(StreamMerge.of(dealt(doors, skewed)).recognition().pattern())
              .isEqualTo(AccessPattern.SKEWED);
        });
    Random random = new Random(1);
    int alarms = 0;
    for (int window = 0; window < 200; window++) {
      int[] uniform = Windows.uniform(ITEMS, doors * READS, random);
      AccessPattern merged = StreamMerge.of(dealt(doors, uniform)).recognition().pattern();
      alarms += merged == AccessPattern.RANDOM ? 0 : 1;
    }
    assertThat(alarms).isLessThan(8);
  }

  @Test
  void aSkewTooWeakForOneDoorIsFoundByManyTogether() {
    Random random = new Random(2);
    int alone = 0;
    int together = 0;
    for (int window = 0; window < 100; window++) {
      List<StreamSummary> doors = dealt(16, Windows.skewed(ITEMS, 2000, 16 * READS, random));
      alone += doors.getFirst().recognition().pattern() == AccessPattern.SKEWED ? 1 : 0;
      together += StreamMerge.of(doors).recognition().pattern() == AccessPattern.SKEWED ? 1 : 0;
    }
    assertThat(alone).isLessThan(30);
    assertThat(together).isGreaterThan(95);
  }

  @Test
  void theOrderOfDoorsNeverMatters() {
    SeededRuns.run(
        40,
        random -> {
          List<StreamSummary> doors = new ArrayList<>();
          int count = random.nextInt(2, 9);
          for (int door = 0; door < count; door++) {
            doors.add(anyDoor(random));
          }
          StreamSummary merged = StreamMerge.of(doors);
          for (int other = 0; other < 10; other++) {
            Collections.shuffle(doors, random);
            assertThat(StreamMerge.of(doors)).isEqualTo(merged);
          }
        });
  }

  private static StreamSummary anyDoor(Random random) {
    int reads = random.nextInt(3) * 50;
    int population = random.nextBoolean() ? ITEMS : 500;
    StreamWindow window =
        random.nextInt(4) == 0
            ? null
            : new StreamWindow(
                List.of(Indexing.values()).get(random.nextInt(3)),
                population,
                random.ints(reads, 0, population).toArray(),
                random.ints(reads, 0, 3).toArray(),
                random.ints(reads, 0, 20).toArray());
    return new StreamSummary(
        "0123456789abcdef",
        random.nextInt(3) == 0 ? "" : "/data/" + random.nextInt(3),
        told(List.of(AccessPattern.values()).get(random.nextInt(4)), random.nextInt(3)),
        random.nextInt(3),
        random.nextInt(3),
        random.nextInt(3),
        random.nextInt(3),
        random.nextInt(3) / 3.0,
        random.nextInt(3) / 3.0,
        random.nextInt(3) / 7.0,
        random.nextInt(3) / 7.0,
        random.nextInt(3),
        random.nextInt(3),
        random.nextInt(3),
        random.nextInt(3),
        random.nextInt(3),
        random.nextInt(3),
        window);
  }

  @Test
  void ofContradictingDoorsTheOneWithMostReadsPerSecondIsBelieved() {
    StreamSummary busy = door(told(AccessPattern.SEQUENTIAL, 100), 50, null);
    StreamSummary slow = door(told(AccessPattern.RANDOM, 1000), 20, null);
    StreamSummary another = door(told(AccessPattern.RANDOM, 100), 31, null);
    assertThat(pattern(busy, slow)).isEqualTo(AccessPattern.SEQUENTIAL);
    assertThat(pattern(busy, slow, another)).isEqualTo(AccessPattern.RANDOM);
  }

  @Test
  void atEqualRatesMostReadsDecideAndThenThePatternThatHarmsLeast() {
    StreamSummary sequential = door(told(AccessPattern.SEQUENTIAL, 100), 5, null);
    StreamSummary random = door(told(AccessPattern.RANDOM, 100), 5, null);
    StreamSummary skewed = door(told(AccessPattern.SKEWED, 100), 5, null);
    assertThat(pattern(sequential, random, skewed)).isEqualTo(AccessPattern.SKEWED);
    assertThat(pattern(sequential, random)).isEqualTo(AccessPattern.RANDOM);
    assertThat(pattern(skewed, door(told(AccessPattern.SEQUENTIAL, 200), 5, null)))
        .isEqualTo(AccessPattern.SEQUENTIAL);
  }

  @Test
  void doorsThatRecognisedNothingDoNotCount() {
    StreamSummary unknown = door(Recognition.NONE, 1000, null);
    StreamSummary random = door(told(AccessPattern.RANDOM, 100), 1, null);
    assertThat(pattern(unknown, random)).isEqualTo(AccessPattern.RANDOM);
    assertThat(pattern(unknown, unknown)).isEqualTo(AccessPattern.UNKNOWN);
  }

  @Test
  void aScanAndTrainingAtTwoDoorsBecomeSkewed() {
    StreamWindow scan = Windows.listed(ITEMS, Windows.scan(500, 1, READS));
    StreamWindow training = Windows.listed(ITEMS, Windows.epoch(ITEMS, READS, new Random(3)));
    StreamSummary merged = StreamMerge.of(List.of(door(scan), door(training)));
    assertThat(merged.recognition().pattern()).isEqualTo(AccessPattern.SKEWED);
    assertThat(merged.recognition().evidence()).isEqualTo(Evidence.MERGED);
  }

  @Test
  void windowsOfSeenNamesAreNeverPutTogether() {
    // As one window, the halves of a scan would be sequential.
    StreamWindow even =
        Windows.read(Indexing.SEEN, ITEMS, Windows.scan(0, 2, READS), new int[READS]);
    StreamWindow odd =
        Windows.read(Indexing.SEEN, ITEMS, Windows.scan(1, 2, READS), new int[READS]);
    StreamSummary one = door(told(AccessPattern.SKEWED, 100), 5, even);
    StreamSummary other = door(told(AccessPattern.SKEWED, 100), 6, odd);
    Recognition merged = StreamMerge.of(List.of(one, other)).recognition();
    assertThat(merged).isEqualTo(other.recognition());
    StreamSummary listed = door(told(AccessPattern.SKEWED, 100), 5, listed(even));
    assertThat(StreamMerge.of(List.of(listed, door(other.recognition(), 6, listed(odd)))))
        .extracting(summary -> summary.recognition().pattern())
        .isEqualTo(AccessPattern.SEQUENTIAL);
  }

  private static StreamWindow listed(StreamWindow window) {
    return Windows.listed(ITEMS, window.indices());
  }

  @Test
  void windowsOfOtherPopulationsOrRulesAreNotPutTogether() {
    StreamWindow of = Windows.listed(ITEMS, Windows.scan(0, 2, READS));
    StreamWindow larger = Windows.listed(ITEMS + 1, Windows.scan(1, 2, READS));
    StreamWindow named =
        Windows.read(Indexing.NAMED, ITEMS, Windows.scan(1, 2, READS), new int[READS]);
    for (StreamWindow other : List.of(larger, named)) {
      Recognition merged =
          StreamMerge.of(
                  List.of(
                      door(told(AccessPattern.SKEWED, 100), 6, of),
                      door(told(AccessPattern.RANDOM, 100), 5, other)))
              .recognition();
      assertThat(merged).isEqualTo(told(AccessPattern.SKEWED, 100));
    }
  }

  @Test
  void tooFewReadsTogetherLeaveTheDoorsOpinions() {
    StreamWindow few = Windows.listed(ITEMS, Windows.scan(0, 1, 20));
    StreamSummary merged =
        StreamMerge.of(
            List.of(
                door(told(AccessPattern.RANDOM, 100), 6, few),
                door(told(AccessPattern.SKEWED, 100), 5, few)));
    assertThat(merged.recognition()).isEqualTo(told(AccessPattern.RANDOM, 100));
  }

  @Test
  void numbersAddUpOrTheExtremeCounts() {
    StreamSummary merged = StreamMerge.of(List.of(numbers(1, ""), numbers(3, "/data")));
    assertThat(merged.label()).isEqualTo("/data");
    assertThat(merged.windows()).isEqualTo(4);
    assertThat(merged.readers()).isEqualTo(4);
    assertThat(merged.readsPerSecond()).isEqualTo(4);
    assertThat(merged.advised()).isEqualTo(4);
    assertThat(merged.used()).isEqualTo(4);
    assertThat(merged.items()).isEqualTo(3);
    assertThat(merged.bytes()).isEqualTo(3);
    assertThat(merged.idleSeconds()).isEqualTo(1);
    assertThat(merged.leaseSeconds()).isEqualTo(3);
    assertThat(merged.quietSeconds()).isEqualTo(3);
    assertThat(merged.followBytes()).isEqualTo(1);
    assertThat(merged.window()).isNull();
    // Shares of 0.1 and 0.9, weighted by rates of 1 and 3.
    assertThat(merged.storeShare()).isCloseTo((0.1 + 2.7) / 4, within(1e-12));
  }

  /** Returns a door of which every number is this one, apart from shares. */
  private static StreamSummary numbers(int number, String label) {
    return new StreamSummary(
        "0123456789abcdef",
        label,
        Recognition.NONE,
        number,
        number,
        number,
        number,
        number,
        number == 1 ? 0.1 : 0.9,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        null);
  }

  @Test
  void timesAreWeightedByTheReadsTheyAreTimesOf() {
    StreamSummary merged = StreamMerge.of(List.of(numbers(1, ""), numbers(3, "")));
    // Reads per second from the store: 0.1 and 2.7; from the cache: 0.9 and 0.3.
    assertThat(merged.storeSeconds()).isCloseTo((0.1 + 3 * 2.7) / 2.8, within(1e-12));
    assertThat(merged.cacheSeconds()).isCloseTo((0.9 + 3 * 0.3) / 1.2, within(1e-12));
  }

  @Test
  void unknownTimesAndDistancesDoNotCount() {
    StreamSummary knows = timed(2, 0.25, 7, 4096);
    StreamSummary knowsNothing = timed(100, 0, 0, 0);
    StreamSummary merged = StreamMerge.of(List.of(knows, knowsNothing));
    assertThat(merged.cacheSeconds()).isEqualTo(0.25);
    assertThat(merged.storeSeconds()).isEqualTo(7);
    assertThat(merged.followBytes()).isEqualTo(4096);
    StreamSummary idle = StreamMerge.of(List.of(timed(0, 1, 4, 0), timed(0, 3, 6, 0)));
    assertThat(idle.cacheSeconds()).isEqualTo(2);
    assertThat(idle.storeSeconds()).isEqualTo(5);
    assertThat(StreamMerge.of(List.of(knowsNothing, knowsNothing)).storeSeconds()).isZero();
  }

  private static StreamSummary timed(double rate, double cache, double store, long follow) {
    return new StreamSummary(
        "0123456789abcdef",
        "",
        Recognition.NONE,
        1,
        1,
        1,
        1,
        rate,
        0.5,
        cache,
        store,
        0,
        0,
        0,
        follow,
        0,
        0,
        null);
  }

  @Test
  void sumsStayWithinTheBoundsOfSummaries() {
    StreamSummary most =
        new StreamSummary(
            "0123456789abcdef",
            "",
            Recognition.NONE,
            Bounds.MAX_COUNT,
            Bounds.MAX_COUNT,
            Bounds.MAX_BYTES,
            Integer.MAX_VALUE,
            1e9,
            1,
            1,
            1,
            Bounds.MAX_SECONDS,
            Bounds.MAX_SECONDS,
            Bounds.MAX_SECONDS,
            Bounds.MAX_BYTES,
            Bounds.MAX_COUNT,
            Bounds.MAX_COUNT,
            null);
    StreamSummary merged = StreamMerge.of(Collections.nCopies(16, most));
    assertThat(merged.windows()).isEqualTo(Bounds.MAX_COUNT);
    assertThat(merged.readers()).isEqualTo(Integer.MAX_VALUE);
    assertThat(merged.readsPerSecond()).isEqualTo(1e9);
    assertThat(merged.advised()).isEqualTo(Bounds.MAX_COUNT);
    assertThat(merged.storeShare()).isEqualTo(1);
  }

  @Test
  void hostileWindowsAreMergedAsSomething() {
    SeededRuns.run(
        50,
        random -> {
          List<StreamSummary> doors = new ArrayList<>();
          for (int door = 0; door < 4; door++) {
            int reads = random.nextInt(0, StreamWindow.MOST_SENT + 1);
            doors.add(
                door(
                    told(AccessPattern.RANDOM, 100),
                    random.nextDouble(),
                    new StreamWindow(
                        Indexing.LISTED,
                        random.nextInt(3),
                        random.ints(reads, 0, Integer.MAX_VALUE).toArray(),
                        random.ints(reads, 0, Integer.MAX_VALUE).toArray(),
                        random.ints(reads, 0, Integer.MAX_VALUE).toArray())));
          }
          assertThat(StreamMerge.of(doors).recognition().pattern())
              .isNotEqualTo(AccessPattern.UNKNOWN);
        });
  }
}
