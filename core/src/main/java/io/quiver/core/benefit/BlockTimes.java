package io.quiver.core.benefit;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** The times of the latest blocks of batches under one supplyMode. */
final class BlockTimes {
  private final int most;
  private final Deque<Double> blocks = new ArrayDeque<>();
  private long latest;
  private int added;

  BlockTimes(int most) {
    this.most = most;
  }

  void add(double itemSeconds, long now) {
    if (blocks.size() == most) {
      blocks.removeFirst();
    }
    blocks.addLast(itemSeconds);
    latest = now;
    added++;
  }

  /**
   * The mean of the middle half, for what is the same from batch to batch but for disturbances: a
   * median that does not depend on a single block when there are few.
   */
  Timing middle(int block, long now) {
    double[] sorted = sorted();
    int left = sorted.length / 4;
    double mean = Arrays.stream(sorted, left, sorted.length - left).average().orElse(0);
    return timing(mean, block, now);
  }

  /** The mean without the longest one, for what comes in turns: some blocks wait, others do not. */
  Timing mean(int block, long now) {
    double[] sorted = sorted();
    int counted = sorted.length > 2 ? sorted.length - 1 : sorted.length;
    return timing(Arrays.stream(sorted, 0, counted).average().orElse(0), block, now);
  }

  private double[] sorted() {
    return blocks.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private Timing timing(double seconds, int block, long now) {
    return blocks.isEmpty()
        ? Timing.NONE
        : new Timing(seconds, added * block, Math.max(0, now - latest) / 1e9);
  }
}
