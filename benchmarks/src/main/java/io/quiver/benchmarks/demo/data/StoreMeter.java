package io.quiver.benchmarks.demo.data;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Counts the bytes that all jobs together read from the store, where the bytes leave it: an account
 * that does not depend on what the jobs say of themselves.
 */
public final class StoreMeter {
  private final AtomicIntegerArray readsOfItem;
  private final LongAdder reads = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /** A meter for a data set of this many items. */
  public StoreMeter(int items) {
    readsOfItem = new AtomicIntegerArray(items);
  }

  void read(int item, long count) {
    reads.increment();
    bytes.add(count);
    if (item >= 0) {
      readsOfItem.incrementAndGet(item);
    }
  }

  void failed() {
    failures.increment();
  }

  /** Reads so far. */
  public long reads() {
    return reads.sum();
  }

  /** Returns their bytes. */
  public long bytes() {
    return bytes.sum();
  }

  /** Reads that the store could not answer. */
  public long failures() {
    return failures.sum();
  }

  /** Returns how many of the chosen items were read, once or oftener. */
  public long itemsRead(IntPredicate chosen) {
    return IntStream.range(0, readsOfItem.length())
        .filter(item -> readsOfItem.get(item) > 0 && chosen.test(item))
        .count();
  }
}
