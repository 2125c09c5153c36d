package io.quiver.simulator.igt.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.AccessPattern;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StreamSpaceTest {
  private static long kept(StreamSpace space, long from, long to) {
    return LongStream.range(from, to).filter(space::holds).count();
  }

  @Test
  void aRandomStreamKeepsWhatItHasAndWhatComesFirst() {
    StreamSpace space = new StreamSpace(100, List.of(new PatternChange(50, AccessPattern.RANDOM)));
    for (long key = 0; key < 1000; key++) {
      space.read(key, 1);
    }
    assertThat(kept(space, 0, 100)).isEqualTo(100);
    assertThat(space.usedBytes()).isEqualTo(100);
  }

  @Test
  void ofASequentialStreamNothingIsInsertedUntilItIsReadInAnotherWay() {
    StreamSpace space =
        new StreamSpace(
            100,
            List.of(
                new PatternChange(50, AccessPattern.SEQUENTIAL),
                new PatternChange(200, AccessPattern.SKEWED)));
    for (long key = 0; key < 300; key++) {
      space.read(key, 1);
    }
    assertThat(kept(space, 50, 200)).isZero();
    assertThat(kept(space, 200, 300)).isPositive();
  }

  @Test
  void capacityIsNeverExceededWhateverIsRecognised() {
    long seed = System.nanoTime();
    SeededNumbers numbers = new SeededNumbers(seed);
    AccessPattern[] patterns = AccessPattern.values();
    List<PatternChange> changes =
        LongStream.range(1, 100)
            .mapToObj(i -> new PatternChange((int) i * 37, patterns[numbers.below(4)]))
            .toList();
    StreamSpace space = new StreamSpace(500, changes);
    for (int i = 0; i < 4000; i++) {
      long key = numbers.below(200);
      boolean held = space.holds(key);
      assertThat(space.read(key, 1 + key % 13)).as("seed %d", seed).isEqualTo(held);
      assertThat(space.usedBytes()).as("seed %d", seed).isLessThanOrEqualTo(500);
    }
  }

  @Test
  void aDoorRecognisesTheTraces() {
    for (ReadTrace trace : ReadTrace.all(2000, 4, 1)) {
      List<PatternChange> changes = PatternChange.in(trace);
      AccessPattern expected =
          switch (trace.name()) {
            case "random" -> AccessPattern.RANDOM;
            case "sequential" -> AccessPattern.SEQUENTIAL;
            default -> AccessPattern.SKEWED;
          };
      assertThat(changes.getLast().pattern()).as(trace.name()).isEqualTo(expected);
    }
  }
}
