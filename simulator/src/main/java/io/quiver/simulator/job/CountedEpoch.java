package io.quiver.simulator.job;

import io.quiver.core.engine.ReadOrder;
import io.quiver.core.order.BatchSplit;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An epoch of a data set too large to name its items: only how many of each chunk are left. An item
 * is the number of its chunk. Draws follow the substituting sampler, whose split between pinned and
 * rotating chunks it shares.
 */
final class CountedEpoch implements ReadOrder<BatchRequest> {
  private final OrderSetup setup;
  private final SeededNumbers random;
  private final BatchSplit split = new BatchSplit();
  private final int[] left;
  private int available;
  private int unpromised;
  private int out;

  private CountedEpoch(OrderSetup setup, SeededNumbers random, int[] left) {
    this.setup = setup;
    this.random = random;
    this.left = left;
    this.available = Arrays.stream(left).sum();
    this.unpromised = available;
  }

  /** The beginning of an epoch. */
  static CountedEpoch begin(OrderSetup setup, int epoch) {
    ChunkLayout layout = setup.layout();
    int[] sizes = new int[setup.chunks()];
    Arrays.setAll(sizes, layout::size);
    return new CountedEpoch(setup, SeededNumbers.of(setup.seed(), "epoch " + epoch), sizes);
  }

  @Override
  public @Nullable BatchRequest draw(Residency residency, RingRole ringRole) {
    int size = Math.min(setup.batch(), available());
    if (size == 0 || (size < setup.batch() && out > 0)) {
      return null;
    }
    int pinned = sum(residency.pinned());
    int window = sum(residency.window());
    int want = split.fromCache(residency.ring(), size, pinned + window, available);
    int fromWindow = split.fromWindow(want, pinned, window, available, ringRole);
    int slack = BatchSplit.slack(want, pinned + window, available, setup.batch());
    int[] candidates = new int[want + slack];
    int at = takeInOrder(residency.window(), fromWindow, candidates, 0);
    at = takeAtRandom(residency.pinned(), want - fromWindow, candidates, at);
    int more = Math.min(slack, sum(residency.window()));
    at = takeInOrder(residency.window(), more, candidates, at);
    takeAtRandom(residency.pinned(), slack - more, candidates, at);
    out++;
    unpromised -= size;
    return new CountedRequest(candidates, want, fetch(residency, size - want));
  }

  private int sum(List<Integer> chunks) {
    int sum = 0;
    for (int chunk : chunks) {
      sum += left[chunk];
    }
    return sum;
  }

  private int takeInOrder(List<Integer> chunks, int count, int[] target, int from) {
    int at = from;
    for (int chunk : chunks) {
      int some = Math.min(from + count - at, left[chunk]);
      Arrays.fill(target, at, at + some, chunk);
      at += some;
      take(chunk, some);
    }
    return at;
  }

  private void take(int chunk, int count) {
    left[chunk] -= count;
    available -= count;
  }

  /** Shares in proportion to what is left; what rounding leaves over comes from any of them. */
  private int takeAtRandom(List<Integer> chunks, int count, int[] target, int from) {
    long all = sum(chunks);
    int at = from;
    for (int chunk : chunks) {
      int some = (int) (left[chunk] * (long) count / Math.max(1, all));
      Arrays.fill(target, at, at + some, chunk);
      at += some;
      take(chunk, some);
    }
    int turn = chunks.isEmpty() ? 0 : random.below(chunks.size());
    while (at < from + count) {
      int chunk = chunks.get(turn++ % chunks.size());
      if (left[chunk] > 0) {
        target[at++] = chunk;
        take(chunk, 1);
      }
    }
    return at;
  }

  /** From chunks being loaded, then from absent ones, those with the fewest items left first. */
  private int[] fetch(Residency residency, int count) {
    int[] items = new int[count];
    int at = takeInOrder(residency.loading(), Math.min(count, sum(residency.loading())), items, 0);
    while (at < count) {
      int chunk = fewestLeft();
      at = takeInOrder(List.of(chunk), Math.min(count - at, left[chunk]), items, at);
    }
    return items;
  }

  private int fewestLeft() {
    int fewest = -1;
    for (int chunk = 0; chunk < left.length; chunk++) {
      if (left[chunk] > 0 && (fewest < 0 || left[chunk] < left[fewest])) {
        fewest = chunk;
      }
    }
    return fewest;
  }

  @Override
  public void settle(BatchRequest request, int[] read) {
    out--;
    CountedRequest drawn = (CountedRequest) request;
    drawn.count(left, 1);
    for (int chunk : read) {
      left[chunk]--;
    }
    available += drawn.named() - read.length;
    unpromised += drawn.size() - read.length;
  }

  @Override
  public void count(BatchRequest request, int[] chunkCounts, int sign) {
    ((CountedRequest) request).count(chunkCounts, sign);
  }

  @Override
  public boolean finished() {
    return unpromised == 0 && out == 0;
  }

  @Override
  public int available() {
    return Math.min(available, unpromised);
  }

  @Override
  public int available(int chunk) {
    return left[chunk];
  }

  @Override
  public int chunks() {
    return setup.chunks();
  }

  @Override
  public int chunkOf(int item) {
    return item;
  }

  /** What is left is spread evenly over the new chunks. */
  @Override
  public CountedEpoch divided(int into) {
    OrderSetup other = OrderSetup.single(setup.items(), into, setup.batch(), setup.seed());
    ChunkLayout layout = other.layout();
    int[] counts = new int[into];
    long before = 0;
    long items = 0;
    for (int chunk = 0; chunk < into; chunk++) {
      items += layout.size(chunk);
      long upTo = items * available / Math.max(1, setup.items());
      counts[chunk] = (int) (upTo - before);
      before = upTo;
    }
    return new CountedEpoch(other, random, counts);
  }
}
