package io.quiver.core.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hit ratios that theory or the papers give. */
final class KeeperLawsTest {
  private static final int ITEMS = 4000;
  private static final int EPOCHS = 25;

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.2, 0.5, 0.75})
  void leastRecentlyUsedHitsLittleOfPermutations(double share) {
    double expected = share + (1 - share) * Math.log(1 - share);
    assertThat(onPermutations(new Recent((long) (share * ITEMS))))
        .isCloseTo(expected, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.75})
  void uniformHitsItsShareOfPermutations(double share) {
    assertThat(onPermutations(new Uniform((long) (share * ITEMS)))).isCloseTo(share, within(1e-9));
  }

  @Test
  void ghostsTellTheHitsOfALargerCache() {
    double share = 0.5;
    Recent half = new Recent((long) (share * ITEMS));
    double hits = onPermutations(half);
    // Half as much again: four eighths of the quota.
    long ghosts = half.report().ghostHits().subList(0, 4).stream().mapToLong(each -> each).sum();
    double told = hits + (double) ghosts / ITEMS / EPOCHS;
    double larger = 0.75 + 0.25 * Math.log(0.25);
    assertThat(told).isBetween(larger - 0.06, larger);
  }

  private static double onPermutations(Keeper keeper) {
    Random random = new Random(7);
    List<Long> items = new ArrayList<>(LongStream.range(0, ITEMS).boxed().toList());
    Collections.shuffle(items, random);
    items.forEach(item -> read(keeper, item));
    int hits = 0;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      Collections.shuffle(items, random);
      for (long item : items) {
        hits += read(keeper, item) ? 1 : 0;
      }
    }
    return (double) hits / ITEMS / EPOCHS;
  }

  private static boolean read(Keeper keeper, long item) {
    boolean hit = keeper.touch(item);
    if (!hit) {
      keeper.offer(item, 1, Ranked.UNKNOWN, any -> {});
    }
    return hit;
  }

  @Test
  void fifo3BeatsLeastRecentlyUsedOnSteadySkew() {
    double recent = hits(new Recent(1000), zipf(0.8, 10_000, 5));
    double fifo3 = hits(new Fifo3(1000), zipf(0.8, 10_000, 5));
    assertThat(fifo3).isGreaterThan(recent + 0.06);
  }

  @Test
  void fifo3StaysNearLeastRecentlyUsedOnDrift() {
    double recent = hits(new Recent(1000), drifting(9));
    double fifo3 = hits(new Fifo3(1000), drifting(9));
    assertThat(fifo3).isGreaterThan(recent - 0.03);
  }

  @Test
  void theShadowTakesOverOnScansAndTurnsBackOnDrift() {
    Fifo3 keeper = new Fifo3(1000);
    double looped = hits(keeper, loop(1500));
    assertThat(looped).isGreaterThan(0.4);
    assertThat(hits(new Recent(1000), loop(1500))).isLessThan(0.01);
    double recent = hits(new Recent(1000), drifting(3));
    assertThat(hits(keeper, drifting(3))).isGreaterThan(recent - 0.05);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.25, 0.5, 0.75})
  void fifo3PinsWhatIsReadEquallyOften(double share) {
    Fifo3 keeper = new Fifo3((long) (share * ITEMS));
    double learning = onPermutations(keeper);
    assertThat(learning).isBetween(share - 0.05, share + 1e-9);
    assertThat(onPermutations(keeper)).isCloseTo(share, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 2500, 5000, 7500})
  void fifo3IsNoWorseThanPinningUnderScansThatComeAgain(int quota) {
    Fifo3 keeper = new Fifo3(quota);
    hits(keeper, scanned(4));
    double fifo3 = hits(keeper, scanned(5));
    assertThat(fifo3).isGreaterThan(hits(new Uniform(quota), scanned(5)) - 0.01);
    assertThat(fifo3).isGreaterThan(hits(new Recent(quota), scanned(5)) + 0.05);
  }

  @Test
  void fifo3StopsPinningWhenPopularityMoves() {
    Fifo3 keeper = new Fifo3(1000);
    double pinned = onPermutations(keeper);
    assertThat(pinned).isGreaterThan(0.2);
    hits(keeper, drifting(3));
    double recent = hits(new Recent(1000), drifting(9));
    assertThat(hits(keeper, drifting(9))).isGreaterThan(recent - 0.03);
  }

  @Test
  void decidesAlikeEachTime() {
    Fifo3 one = new Fifo3(1000);
    Fifo3 other = new Fifo3(1000);
    hits(one, zipf(1, 5000, 2));
    hits(other, zipf(1, 5000, 2));
    assertThat(one.report()).isEqualTo(other.report());
  }

  private static double hits(Keeper keeper, LongSupplier reads) {
    int warm = 50_000;
    int count = 150_000;
    int hits = 0;
    for (int i = 0; i < count; i++) {
      boolean hit = read(keeper, reads.getAsLong());
      hits += hit && i >= warm ? 1 : 0;
    }
    return (double) hits / (count - warm);
  }

  private static LongSupplier zipf(double exponent, int items, long seed) {
    Random random = new Random(seed);
    double[] sums = new double[items];
    double sum = 0;
    for (int i = 0; i < items; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
    }
    double total = sum;
    return () -> {
      int at = Arrays.binarySearch(sums, random.nextDouble() * total);
      return Math.min(items - 1, at < 0 ? -at - 1 : at);
    };
  }

  /**
   * Returns every hundred reads one of the items is replaced by a new one, as popular as it was.
   */
  private static LongSupplier drifting(long seed) {
    LongSupplier skew = zipf(0.9, 5000, seed);
    Random random = new Random(seed);
    long[] names = LongStream.range(0, 5000).toArray();
    long[] reads = {0};
    return () -> {
      if (++reads[0] % 100 == 0) {
        names[random.nextInt(100)] = 5000 + reads[0];
      }
      return names[(int) skew.getAsLong()];
    };
  }

  /**
   * Returns every other read goes through all items, again and again; popular ones lie anywhere.
   */
  private static LongSupplier scanned(long seed) {
    LongSupplier skew = zipf(1, 10_000, seed);
    LongSupplier scan = loop(10_000);
    long[] reads = {0};
    return () -> ++reads[0] % 2 == 0 ? scan.getAsLong() * 7919 % 10_000 : skew.getAsLong();
  }

  private static LongSupplier loop(int items) {
    long[] next = {0};
    return () -> next[0]++ % items;
  }
}
