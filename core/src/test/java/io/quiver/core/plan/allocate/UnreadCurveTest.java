package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.LinkedHashSet;
import org.junit.jupiter.api.Test;

/** Each kind of tenant's curve, against its formula or a cache that really reads. */
final class UnreadCurveTest {
  private static final double EXACT = 1e-12;

  @Test
  void aRingSparesWhatIsPinnedAndNothingOfWhatRotates() {
    UnreadCurve shared = UnreadCurve.ring(10, 3, true);
    UnreadCurve alone = UnreadCurve.ring(10, 3, false);
    for (int held = 0; held <= 10; held++) {
      double ring = held < 3 || held == 10 ? 1 - held / 10.0 : 1 - (held - 3) / 10.0;
      assertThat(shared.at(held)).isCloseTo(ring, within(EXACT));
      assertThat(alone.at(held)).isCloseTo(1 - held / 10.0, within(EXACT));
      assertThat(shared.liesAboveDiagonal(held)).isEqualTo(held >= 3 && held < 10);
    }
  }

  @Test
  void randomReadsHitTheirShareAndSequentialOnesNothing() {
    assertThat(UnreadCurve.random(4).at(1)).isCloseTo(0.75, within(EXACT));
    assertThat(UnreadCurve.random(4).at(4)).isZero();
    assertThat(UnreadCurve.sequential(4).at(4)).isEqualTo(1);
  }

  @Test
  void ghostsGiveACurveThatNeverRises() {
    UnreadCurve curve = UnreadCurve.skewed(new long[] {0, 60, 50, 80}, 100);
    assertThat(curve.at(0)).isEqualTo(1);
    assertThat(curve.at(1)).isCloseTo(0.4, within(EXACT));
    assertThat(curve.at(2)).isCloseTo(0.4, within(EXACT));
    assertThat(curve.at(3)).isCloseTo(0.2, within(EXACT));
    assertThat(UnreadCurve.skewed(new long[] {0, 0}, 0).at(1)).isEqualTo(1);
  }

  @Test
  void aListsCurveIsWhatACacheThatForgetsTheLeastRecentReads() {
    SeededRuns.run(
        20,
        random -> {
          int items = 5 + random.nextInt(30);
          int steps = 1 + random.nextInt(items);
          int[] list = new int[items + random.nextInt(100)];
          for (int i = 0; i < list.length; i++) {
            list[i] = (int) (items * random.nextDouble() * random.nextDouble());
          }
          UnreadCurve curve = UnreadCurve.list(list, items, steps);
          for (int held = 0; held <= steps; held++) {
            int size = items * held / steps;
            assertThat(curve.at(held)).isCloseTo(missed(list, size), within(1e-9));
          }
        });
  }

  /** Reads a list twice through a cache of so many items; returns the second time's misses. */
  private static double missed(int[] list, int size) {
    LinkedHashSet<Integer> cached = new LinkedHashSet<>();
    int misses = 0;
    for (int place = 0; place < 2 * list.length; place++) {
      int item = list[place % list.length];
      boolean hit = cached.remove(item);
      misses += !hit && place >= list.length ? 1 : 0;
      cached.addLast(item);
      if (cached.size() > size) {
        cached.removeFirst();
      }
    }
    return (double) misses / list.length;
  }
}
