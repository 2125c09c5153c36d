package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
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
  void jobsWithDifferentListsHaveTheMeanOfTheirCurves() {
    UnreadCurve curve =
        UnreadCurve.mean(List.of(List.of(1.0, 0.4, 0.5, 0.0), List.of(1.0, 0.2, 0.5, 0.0)));
    assertThat(curve.steps()).isEqualTo(3);
    assertThat(curve.at(1)).isCloseTo(0.3, within(EXACT));
    assertThat(curve.at(2)).as("never rises").isCloseTo(0.3, within(EXACT));
    assertThat(curve.at(3)).isZero();
  }
}
