package io.quiver.core.plan.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.plan.probe.SpeedMeter.Delivery;
import io.quiver.core.plan.probe.SpeedMeter.MeterConfig;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.Timing;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Against a loader that reads several batches at once, whose true speeds are known. */
class SpeedMeterTest {
  private static final int ITEMS = 10;

  /** Reads some batches ahead: from the cache each at its own speed, from the store sharing it. */
  private static final class Loader {
    private static final double STEP = 1e-4;

    private final Random random;
    private final int ahead;
    private final double compute;
    private final double cacheRead;
    private final double storeRead;
    private final SpeedMeter meter;
    private final List<double[]> reading = new ArrayList<>();
    private final List<SupplyMode> ready = new ArrayList<>();
    private double now;
    private int probes;
    private int delivered;
    private int lastPause;

    Loader(Random random, int ahead, double compute, double cacheRead, double storeRead) {
      this.random = random;
      this.ahead = ahead;
      this.compute = compute;
      this.cacheRead = cacheRead;
      this.storeRead = storeRead;
      this.meter = new SpeedMeter(MeterConfig.ahead(ahead));
    }

    void probe(int batches) {
      probes = batches;
    }

    void run(int batches) {
      double last = now;
      for (int i = 0; i < batches; i++) {
        double asked = now;
        while (ready.isEmpty()) {
          advance(STEP);
        }
        SupplyMode supplyMode = ready.removeFirst();
        meter.delivered(
            new Delivery(
                ITEMS,
                nanos(now - last),
                nanos(now - asked),
                supplyMode,
                supplyMode == SupplyMode.MISS),
            nanos(now));
        last = now;
        // Pauses that follow each other closely would leave no block of a probe whole.
        boolean pauses = random.nextInt(200) == 0 && delivered - lastPause >= 100;
        lastPause = pauses ? delivered : lastPause;
        delivered++;
        double pause = pauses ? 20 * compute : 0;
        double end = now + compute * (0.95 + 0.1 * random.nextDouble()) + pause;
        while (now < end) {
          advance(STEP);
        }
      }
    }

    private void advance(double seconds) {
      now += seconds;
      while (reading.size() + ready.size() < ahead) {
        boolean miss = probes > 0;
        probes -= miss ? 1 : 0;
        reading.add(new double[] {miss ? 1 : 0, 1});
      }
      long misses = reading.stream().filter(each -> each[0] == 1).count();
      for (double[] each : reading) {
        each[1] -= seconds / (each[0] == 1 ? storeRead * misses : cacheRead);
      }
      reading.removeIf(each -> {
        boolean done = each[1] <= 0;
        if (done) {
          ready.add(each[0] == 1 ? SupplyMode.MISS : SupplyMode.HIT);
        }
        return done;
      });
    }

    private static long nanos(double seconds) {
      return Math.round(seconds * 1e9);
    }
  }

  @Test
  void findsTheTrueSpeedsThroughTheQueueOfALoader() {
    SeededRuns.run(
        40,
        random -> {
          int ahead = 2 + random.nextInt(7);
          double compute = 0.01 + 0.02 * random.nextDouble();
          double store = compute * (0.5 + 4 * random.nextDouble());
          double cache = compute * (0.1 + random.nextDouble());
          Loader loader = new Loader(random, ahead, compute, cache, store);
          loader.run(300);
          loader.probe(MeterConfig.ahead(ahead).leastProbe() + 40);
          loader.run(300);
          JobSpeeds speeds = loader.meter.speeds(-1, 1, Loader.nanos(loader.now));
          double hit = Math.max(compute, cache / ahead) / ITEMS;
          double miss = Math.max(compute, store) / ITEMS;
          assertThat(speeds.hit().seconds()).as("hit").isCloseTo(hit, Percentage.withPercentage(5));
          assertThat(speeds.miss().seconds())
              .as("miss")
              .isCloseTo(miss, Percentage.withPercentage(8));
          assertThat(speeds.batches()).isEqualTo(600);
          assertThat(speeds.probed()).isEqualTo(MeterConfig.ahead(ahead).leastProbe() + 40);
        });
  }

  @Test
  void whatWasUnderWayBeforeAChangeDoesNotCount() {
    SpeedMeter meter = new SpeedMeter(new MeterConfig(3, 2, 5));
    for (int i = 0; i < 20; i++) {
      meter.delivered(new Delivery(1, i < 3 ? 9_000 : 1_000, 0, SupplyMode.HIT, false), i);
    }
    for (int i = 0; i < 5; i++) {
      meter.delivered(new Delivery(1, i < 3 ? 1 : 7_000, 0, SupplyMode.MISS, true), 100 + i);
    }
    JobSpeeds speeds = meter.speeds(10, 4, 1_000_000_104L);
    assertThat(speeds.hit().seconds()).isCloseTo(1e-6, within(1e-12));
    assertThat(speeds.hit().batches()).isEqualTo(16);
    assertThat(speeds.miss()).isEqualTo(new Timing(7e-6, 2, 1.0));
    assertThat(speeds.probed()).isEqualTo(5);
    assertThat(speeds.lastProbe()).isEqualTo(4);
    assertThat(speeds.shared()).isEqualTo(Timing.NONE);
  }

  @Test
  void waitingInTurnsIsNotHiddenWhenJobsShare() {
    SpeedMeter meter = new SpeedMeter(new MeterConfig(0, 2, 10));
    for (int i = 0; i < 80; i++) {
      boolean waits = i % 20 == 0;
      meter.delivered(
          new Delivery(1, waits ? 21_000 : 1_000, waits ? 20_000 : 0, SupplyMode.SHARED, false), i);
    }
    assertThat(meter.speeds(-1, 0, 80).shared().seconds()).isBetween(1.6e-6, 2e-6);
    assertThat(meter.speeds(-1, 0, 80).stall()).isBetween(0.4, 0.6);
  }

  @Test
  void aJobsTimeOfAnItemIsThatOfAllItsRanksTogether() {
    JobSpeeds one =
        new JobSpeeds(new Timing(0.004, 40, 3), Timing.NONE, Timing.NONE, 0.5, 100, 1, 900, 20, 7);
    JobSpeeds other =
        new JobSpeeds(new Timing(0.002, 50, 1), Timing.NONE, Timing.NONE, 0, 90, 2, 910, 20, 6);
    JobSpeeds both = JobSpeeds.together(List.of(one, other), 2);
    assertThat(1 / both.hit().seconds()).as("their rates add up").isCloseTo(750, within(1e-6));
    assertThat(both.hit().batches()).isEqualTo(50);
    assertThat(both.hit().ageSeconds()).isEqualTo(1);
    assertThat(both.lastProbe()).as("done when the last rank is").isEqualTo(6);
    assertThat(both.probesLeft()).isEqualTo(10 - 2);
    assertThat(both.tooShort()).isTrue();
  }
}
