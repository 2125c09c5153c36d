package io.quiver.simulator.igt.eviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.simulator.engine.SeededNumbers;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReadTraceTest {
  private static final int ITEMS = 1000;
  private static final int PASSES = 8;

  private static ReadTrace trace(String name) {
    return ReadTrace.all(ITEMS, PASSES, 5).stream()
        .filter(trace -> trace.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static int[] counts(int[] reads) {
    int[] counts = new int[ITEMS];
    Arrays.stream(reads).forEach(item -> counts[item]++);
    return counts;
  }

  /** Returns the share of reads that the so many most popular items have. */
  private static double share(int[] reads, int popular) {
    int[] counts = counts(reads);
    Arrays.sort(counts);
    return (double) Arrays.stream(counts, ITEMS - popular, ITEMS).sum() / reads.length;
  }

  @Test
  void everyEpochReadsEveryItemOnceInAnotherOrder() {
    int[] reads = trace("random").reads();
    int[] first = Arrays.copyOfRange(reads, 0, ITEMS);
    int[] second = Arrays.copyOfRange(reads, ITEMS, 2 * ITEMS);
    assertThat(counts(first)).containsOnly(1);
    assertThat(counts(second)).containsOnly(1);
    assertThat(first).isNotEqualTo(second);
    assertThat(trace("random").counted()).isEqualTo(2 * ITEMS);
  }

  @Test
  void ranksAreDrawnAsOftenAsTheirPowersSay() {
    ZipfRanks ranks = new ZipfRanks(10, 1);
    SeededNumbers numbers = new SeededNumbers(8);
    int[] counts = new int[10];
    for (int i = 0; i < 100_000; i++) {
      counts[ranks.draw(numbers)]++;
    }
    double sum = IntStream.rangeClosed(1, 10).mapToDouble(rank -> 1.0 / rank).sum();
    for (int rank = 0; rank < 10; rank++) {
      assertThat(counts[rank] / 1e5).isCloseTo(1 / (rank + 1.0) / sum, within(0.01));
    }
  }

  @Test
  void theHotSetStaysOrMoves() {
    assertThat(share(trace("zipf-1.0").reads(), 100)).isGreaterThan(0.6);
    assertThat(share(trace("zipf-1.2").reads(), 100)).isGreaterThan(0.75);
    double steady = share(trace("zipf-1.0").reads(), 100);
    assertThat(share(trace("drifting").reads(), 100)).isLessThan(steady - 0.08);
    int[] first = Arrays.copyOfRange(trace("drifting").reads(), 0, ITEMS / 2);
    assertThat(share(first, 100)).isGreaterThan(steady - 0.05);
  }

  @Test
  void halfOfTheMixedReadsAreAScanByAnotherProgram() {
    ReadTrace trace = trace("scan-mixed");
    int[] scanned =
        IntStream.range(0, trace.reads().length)
            .filter(i -> trace.readers()[i] == 1)
            .map(i -> trace.reads()[i])
            .toArray();
    assertThat(scanned.length).isBetween(ITEMS * PASSES * 4 / 10, ITEMS * PASSES * 6 / 10);
    for (int i = 1; i < scanned.length; i++) {
      assertThat(scanned[i]).isEqualTo((scanned[i - 1] + 1) % ITEMS);
    }
  }
}
