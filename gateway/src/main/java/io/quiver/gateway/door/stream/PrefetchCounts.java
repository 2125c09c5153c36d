package io.quiver.gateway.door.stream;

import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what became of advice to read ahead. Remembers the latest blocks that were read ahead for
 * readers, to tell how many of them a program has read. One thread notes; others may read counts.
 */
final class PrefetchCounts {
  private static final int MOST_REMEMBERED = 16_384;

  private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
  private final LongAdder fills = new LongAdder();
  private final LongAdder used = new LongAdder();
  private final SequencedSet<Read> unread = new LinkedHashSet<>();

  private record Read(String path, int block) {}

  PrefetchCounts() {
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
  }

  /** Notes the end of an advice, or that what was begun has failed. */
  void ended(PrefetchAdvice advice, Outcome outcome) {
    Read read = new Read(advice.path(), advice.block());
    adder(outcome).increment();
    if (outcome == Outcome.FAILED) {
      unread.remove(read);
    } else if (outcome == Outcome.FETCHED && advice.purpose() == Purpose.FILL) {
      fills.increment();
    } else if (outcome == Outcome.FETCHED) {
      unread.add(read);
      if (unread.size() > MOST_REMEMBERED) {
        unread.removeFirst();
      }
    }
  }

  /** Notes that a program has read a block. */
  void read(String path, int block) {
    if (!unread.isEmpty() && unread.remove(new Read(path, block))) {
      used.increment();
    }
  }

  private LongAdder adder(Outcome outcome) {
    return Objects.requireNonNull(outcomes.get(outcome));
  }

  /** Returns how many advices ended so. */
  long of(Outcome outcome) {
    return adder(outcome).sum();
  }

  /** Returns how many blocks were brought into the cache for no reader. */
  long fills() {
    return fills.sum();
  }

  /** Returns how many blocks were read by programs after they were read ahead. */
  long used() {
    return used.sum();
  }
}
