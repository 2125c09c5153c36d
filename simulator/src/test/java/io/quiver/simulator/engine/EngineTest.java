package io.quiver.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EngineTest {
  @Test
  void eventsOfOneTimeHappenInTheOrderOfScheduling() {
    Engine engine = new Engine();
    List<Long> happened = new ArrayList<>();
    for (long i = 0; i < 100; i++) {
      engine.at(i % 3, happened::add, i);
    }
    engine.run(Long.MAX_VALUE);
    List<Long> expected = new ArrayList<>();
    for (long time = 0; time < 3; time++) {
      for (long i = time; i < 100; i += 3) {
        expected.add(i);
      }
    }
    assertThat(happened).isEqualTo(expected);
    assertThat(engine.now()).isEqualTo(2);
    assertThat(engine.events()).isEqualTo(100);
  }

  /** Events that schedule others, beside a queue from the JDK that does the same. */
  @Test
  void theOrderIsThatOfAReferenceQueue() {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    List<Long> happened = new ArrayList<>();
    Engine engine = new Engine();
    Random random = new Random(seed);
    Handler handler =
        new Handler() {
          @Override
          public void happen(long what) {
            happened.add(what);
            for (int i = random.nextInt(3); i > 0 && happened.size() < 20_000; i--) {
              engine.after(random.nextInt(50), this, happened.size() * 10L + i);
            }
          }
        };
    for (int i = 0; i < 50; i++) {
      engine.at(random.nextInt(100), handler, -i);
    }
    engine.run(Long.MAX_VALUE);
    assertThat(happened).as("seed %d", seed).isEqualTo(reference(seed));
  }

  private record Planned(long time, long number, long what) {}

  private static List<Long> reference(long seed) {
    Random random = new Random(seed);
    PriorityQueue<Planned> queue =
        new PriorityQueue<>(
            Comparator.comparingLong(Planned::time).thenComparingLong(Planned::number));
    List<Long> happened = new ArrayList<>();
    long number = 0;
    for (int i = 0; i < 50; i++) {
      queue.add(new Planned(random.nextInt(100), number++, -i));
    }
    while (!queue.isEmpty()) {
      Planned next = queue.remove();
      happened.add(next.what);
      for (int i = random.nextInt(3); i > 0 && happened.size() < 20_000; i--) {
        long time = next.time + random.nextInt(50);
        queue.add(new Planned(time, number++, happened.size() * 10L + i));
      }
    }
    return happened;
  }

  @Test
  void thePastCannotBeScheduled() {
    Engine engine = new Engine();
    engine.at(
        10,
        what ->
            assertThatThrownBy(() -> engine.at(9, any -> {}, 0))
                .isInstanceOf(IllegalArgumentException.class),
        0);
    engine.run(Long.MAX_VALUE);
    assertThat(engine.events()).isEqualTo(1);
  }

  @Test
  void aRunEndsAtItsTimeOrWhenStopped() {
    Engine engine = new Engine();
    engine.at(5, what -> {}, 0);
    engine.at(50, what -> engine.stop(), 0);
    engine.at(60, what -> {}, 0);
    assertThat(engine.run(10)).isFalse();
    assertThat(engine.now()).isEqualTo(5);
    assertThat(engine.run(100)).isTrue();
    assertThat(engine.now()).isEqualTo(50);
  }

  @Test
  void fingerprintsDifferWhenAnEventMoves() {
    assertThat(fingerprint(7)).isEqualTo(fingerprint(7)).isNotEqualTo(fingerprint(8));
  }

  private static long fingerprint(long time) {
    Engine engine = new Engine();
    engine.at(3, what -> {}, 0);
    engine.at(time, what -> {}, 0);
    engine.run(Long.MAX_VALUE);
    return engine.fingerprint();
  }

  /** The bound is far below what a free core does, so that a busy machine passes as well. */
  @Test
  void aMillionEventsAreAMatterOfSeconds() {
    Engine engine = new Engine();
    Handler again =
        new Handler() {
          @Override
          public void happen(long what) {
            if (engine.events() < 1_000_000) {
              engine.after(1 + (SeededNumbers.mix(what) & 0xffff), this, what + 1);
            }
          }
        };
    for (int i = 0; i < 1000; i++) {
      engine.at(0, again, i);
    }
    long start = System.nanoTime();
    engine.run(Long.MAX_VALUE);
    assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
  }
}
