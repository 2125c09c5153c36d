package io.quiver.simulator.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.scenario.Scenario.Compute;
import io.quiver.simulator.scenario.Scenario.StoreSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Links beside what a pencil says about them. */
class LinkTest {
  private static final double RATE = 100e6;
  private static final double SLICE_SECONDS = Link.SLICE_BYTES / RATE;
  private static final double EXACT = 1e-6;

  private final Engine engine = new Engine();
  private final double[] arrivals = new double[16];

  private void send(List<Link> path, long bytes, Transfer.Priority priority, int number) {
    Transfer.start(
        engine, path, bytes, priority, what -> arrivals[(int) what] = engine.now() / 1e9, number);
  }

  private Link link(double rate, long latencyNanos) {
    return new Link(engine, "link", rate, latencyNanos);
  }

  private void run() {
    engine.run(Long.MAX_VALUE);
  }

  @Test
  void aTransferTakesItsBytesOverTheRateAndTheLatency() {
    Link link = link(RATE, 30_000_000);
    send(List.of(link), 61_600_000, Transfer.Priority.DEMAND, 0);
    run();
    assertThat(arrivals[0]).isCloseTo(0.616 + 0.030, within(EXACT));
    assertThat(link.passedBytes()).isEqualTo(61_600_000);
    assertThat(link.busyNanos() / 1e9).isCloseTo(0.616, within(EXACT));
  }

  @Test
  void transfersOfOnePriorityGoOneAfterAnother() {
    Link link = link(RATE, 0);
    for (int i = 0; i < 5; i++) {
      send(List.of(link), 10_000_000, Transfer.Priority.DEMAND, i);
    }
    run();
    for (int i = 0; i < 5; i++) {
      assertThat(arrivals[i]).isCloseTo(0.1 * (i + 1), within(EXACT));
    }
  }

  @Test
  void latencyIsPaidOncePerTransferAndNotByTheNext() {
    Link link = link(RATE, 500_000_000);
    send(List.of(link), 10_000_000, Transfer.Priority.DEMAND, 0);
    send(List.of(link), 10_000_000, Transfer.Priority.DEMAND, 1);
    run();
    assertThat(arrivals[0]).isCloseTo(0.6, within(EXACT));
    assertThat(arrivals[1]).isCloseTo(0.7, within(EXACT));
  }

  @Test
  void demandWaitsForOneSliceOfTheBackgroundAtMost() {
    Link link = link(RATE, 0);
    send(List.of(link), 1_000_000_000, Transfer.Priority.BACKGROUND, 0);
    engine.at(
        1_000_000_000, any -> send(List.of(link), 10_000_000, Transfer.Priority.DEMAND, 1), 0);
    run();
    assertThat(arrivals[1]).isBetween(1.1, 1.1 + SLICE_SECONDS);
    assertThat(arrivals[0]).isCloseTo(10.1, within(EXACT));
  }

  @Test
  void backgroundGetsWhatDemandLeaves() {
    Link link = link(RATE, 0);
    for (int i = 0; i < 100; i++) {
      engine.at(
          i * 100_000_000L, any -> send(List.of(link), 6_000_000, Transfer.Priority.DEMAND, 1), 0);
    }
    send(List.of(link), 400_000_000, Transfer.Priority.BACKGROUND, 0);
    run();
    assertThat(arrivals[0]).isCloseTo(10, within(0.2));
  }

  @Test
  void aPathIsAsFastAsItsSlowestLink() {
    Link fast = link(10 * RATE, 0);
    Link slow = link(RATE, 0);
    send(List.of(fast, slow), 1_000_000_000, Transfer.Priority.DEMAND, 0);
    run();
    assertThat(arrivals[0]).isBetween(10.0, 10.0 + SLICE_SECONDS);
  }

  @Test
  void theSlowestLinkMayComeFirst() {
    Link slow = link(RATE, 0);
    Link fast = link(10 * RATE, 0);
    send(List.of(slow, fast), 1_000_000_000, Transfer.Priority.DEMAND, 0);
    run();
    assertThat(arrivals[0]).isCloseTo(10.0 + SLICE_SECONDS / 10, within(1e-3));
  }

  @Test
  void nothingAndNowhereTakeNoTime() {
    send(List.of(), 5, Transfer.Priority.DEMAND, 0);
    send(List.of(link(RATE, 2_000_000_000)), 0, Transfer.Priority.DEMAND, 1);
    run();
    assertThat(arrivals[0]).isZero();
    assertThat(arrivals[1]).isCloseTo(2, within(EXACT));
  }

  @Test
  void oddLengthsLoseNoTimeToRounding() {
    Link link = link(3e9, 0);
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      send(List.of(link), 1001, Transfer.Priority.DEMAND, 0);
    }
    run();
    assertThat(arrivals[0]).isCloseTo(count * 1001 / 3e9, within(1e-8));
  }

  @Test
  void aStoreHasALimitForEachMachineAndOneForAll() {
    Store store =
        new Store(engine, new StoreSpec("blob", RATE, OptionalDouble.of(2 * RATE), 10_000_000));
    List<Machine> machines = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      machines.add(new Machine(engine, "vm-" + i, 1e9, 0));
    }
    send(store.pathTo(machines.getFirst()), 100_000_000, Transfer.Priority.DEMAND, 0);
    run();
    assertThat(arrivals[0]).isCloseTo(1.01, within(SLICE_SECONDS));
    long began = engine.now();
    for (int i = 0; i < 4; i++) {
      send(store.pathTo(machines.get(i)), 100_000_000, Transfer.Priority.DEMAND, i);
    }
    run();
    double slowest =
        Math.max(Math.max(arrivals[0], arrivals[1]), Math.max(arrivals[2], arrivals[3]));
    assertThat(slowest - began / 1e9).isCloseTo(2.01, within(2 * SLICE_SECONDS));
  }

  @Test
  void aLinkWithoutARateIsRefused() {
    assertThatThrownBy(() -> link(0, 0)).hasMessageContaining("0.0 bytes/s");
    assertThatThrownBy(() -> link(Double.NaN, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> link(1, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void gpusTakeTheirTimeOnAverage() {
    Compute compute = new Compute(100_000_000, 0.3, 1);
    SeededNumbers random = new SeededNumbers(5);
    long sum = 0;
    for (int i = 0; i < 10_000; i++) {
      long nanos = compute.nanos(1, random);
      assertThat(nanos).isBetween(70_000_000L, 130_000_000L);
      sum += nanos;
    }
    assertThat(sum / 10_000).isCloseTo(100_000_000, within(1_000_000L));
    assertThat(new Compute(100, 0, 1).nanos(0.5, random)).isEqualTo(50);
  }
}
