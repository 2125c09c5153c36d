package io.quiver.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.plan.report.DoorReport;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks what a door measures of its programs' reads. */
final class DoorMeterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final DoorMeter.Reporter REPORTER = new DoorMeter.Reporter("d", "i", "eve");

  private long now = -5 * SECOND;
  private final DoorMeter meter = new DoorMeter(now);

  private DoorReport report() {
    return meter.report(REPORTER, 7, 3, false, now);
  }

  @Test
  void aDoorThatReadsNothingReportsNothing() {
    for (int i = 0; i < 3; i++) {
      DoorReport report = report();
      assertThat(report.readsPerSecond()).isZero();
      assertThat(report.bytes()).isZero();
      assertThat(report.cacheSeconds()).isZero();
      assertThat(report.storeSeconds()).isZero();
      now += SECOND;
    }
  }

  @Test
  void ratesAndTimesAreThoseOfTheReads() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      boolean fromStore = i % 4 == 0;
      meter.noteRead(
          random.nextLong(), 4 << 20, fromStore, fromStore ? SECOND / 20 : SECOND / 1000, now);
      now += SECOND / 100;
    }
    DoorReport report = report();
    assertThat(report.door()).isEqualTo("d");
    assertThat(report.user()).isEqualTo("eve");
    assertThat(report.sequence()).isEqualTo(7);
    assertThat(report.planVersion()).isEqualTo(3);
    assertThat(report.readsPerSecond()).isCloseTo(100, within(3.0));
    assertThat(report.storeShare()).isCloseTo(0.25, within(0.01));
    assertThat(report.cacheSeconds()).isCloseTo(0.001, within(1e-4));
    assertThat(report.storeSeconds()).isCloseTo(0.05, within(1e-3));
    assertThat((double) report.bytes())
        .isCloseTo(20_000.0 * (4 << 20), within(20_000.0 * (4 << 20) / 8));
  }

  @Test
  void blocksReadAgainCountOnce() {
    Random random = new Random(2);
    long[] blocks = random.longs(300).toArray();
    for (int i = 0; i < 5000; i++) {
      meter.noteRead(blocks[i % blocks.length], 1000, false, 1, now++);
    }
    assertThat(report().bytes()).isEqualTo(300_000);
  }

  @Test
  void whatWasNotReadForLongIsForgottenButNotHowFastTheStoreWas() {
    for (int i = 0; i < 500; i++) {
      meter.noteRead(i * 0x9E3779B97F4A7C15L, 1000, true, SECOND / 10, now++);
    }
    assertThat(report().bytes()).isEqualTo(500_000);
    for (int i = 0; i < 30 * 60; i++) {
      meter.noteRead(1, 1000, false, SECOND / 1000, now);
      now += SECOND;
    }
    DoorReport later = report();
    assertThat(later.bytes()).isEqualTo(1000);
    assertThat(later.storeShare()).isLessThan(1e-6);
    assertThat(later.storeSeconds()).isCloseTo(0.1, within(1e-3));
    now += 3600 * SECOND;
    assertThat(report().readsPerSecond()).isZero();
  }

  @Test
  void estimatesAreWithinATenthWhateverTheirSize() {
    for (int distinct : new int[] {1, 1000, 1024, 1025, 5000, 100_000, 2_000_000}) {
      DistinctSketch sketch = new DistinctSketch();
      Random random = new Random(distinct);
      for (int i = 0; i < distinct; i++) {
        sketch.note(random.nextLong());
      }
      assertThat(sketch.estimate()).isCloseTo(distinct, within(0.1 * distinct));
    }
  }
}
