package io.quiver.core.order;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Measures the randomness of an epoch: figures of the order in which items were delivered, each
 * beside the expectation of a global shuffle. Sampling among resident chunks is random within them
 * only; this tells what that costs. Takes eight bytes for each item: it is for reports.
 */
public final class ShuffleQuality {
  private static final int DECILES = 10;
  private static final int NEVER = -1;

  private final int[] position;
  private final int[] batchOf;
  private int[] batchSizes = new int[64];
  private int batches;
  private int delivered;

  /**
   * A figure and its expectation.
   *
   * @param measured what this epoch gave
   * @param expected what a global shuffle gives on average
   */
  public record Figure(double measured, double expected) {
    /** Returns how many times the expectation was measured; 1 when both are nothing. */
    public double ratio() {
      return measured == expected ? 1 : measured / expected;
    }
  }

  /**
   * The dependence of two variables.
   *
   * @param statistic Pearson's chi-square
   * @param degreesOfFreedom its expectation if they are independent
   * @param probability how likely it is to be this large if they are independent
   */
  public record Independence(double statistic, int degreesOfFreedom, double probability) {}

  /** Begins an epoch of a data set of so many items. */
  public ShuffleQuality(int items) {
    position = new int[items];
    batchOf = new int[items];
    Arrays.fill(position, NEVER);
    Arrays.fill(batchOf, NEVER);
  }

  /** Adds the next batch, without its padding; an item may come once. */
  public void add(int[] batch) {
    for (int item : batch) {
      if (position[item] != NEVER) {
        throw new IllegalArgumentException("item " + item + " came before in this epoch");
      }
      position[item] = delivered++;
      batchOf[item] = batches;
    }
    if (batches == batchSizes.length) {
      batchSizes = Arrays.copyOf(batchSizes, 2 * batches);
    }
    batchSizes[batches++] = batch.length;
  }

  /**
   * Returns how far items are from where they lie in the data set, on average: a third of the data
   * set under a global shuffle.
   */
  public Figure displacement() {
    double sum = 0;
    double scale = (double) delivered / position.length;
    for (int item = 0; item < position.length; item++) {
      sum += position[item] == NEVER ? 0 : Math.abs(position[item] - item * scale);
    }
    double n = delivered;
    return n == 0 ? new Figure(0, 0) : new Figure(sum / n, (n * n - 1) / (3 * n));
  }

  /**
   * Returns how the tenth of the epoch an item comes in depends on the tenth of the data it lies
   * in.
   */
  public Independence positionAgainstIndex() {
    long[][] counts = new long[DECILES][DECILES];
    for (int item = 0; item < position.length; item++) {
      if (position[item] != NEVER) {
        int when = (int) ((long) position[item] * DECILES / delivered);
        int where = (int) ((long) item * DECILES / position.length);
        counts[when][where]++;
      }
    }
    return ChiSquare.independence(counts);
  }

  /**
   * Returns how many classes a batch has, on average.
   *
   * @param labels each item's class, from 0
   */
  public Figure classesPerBatch(int[] labels) {
    if (labels.length != position.length) {
      throw new IllegalArgumentException(
          labels.length + " labels for " + position.length + " items");
    }
    int[] members = classMembers(labels);
    return batches == 0
        ? new Figure(0, 0)
        : new Figure(distinctClasses(labels) / (double) batches, expectedClasses(members));
  }

  private int[] classMembers(int[] labels) {
    int[] members = new int[1 + Arrays.stream(labels).max().orElse(0)];
    for (int item = 0; item < labels.length; item++) {
      members[labels[item]] += position[item] == NEVER ? 0 : 1;
    }
    return members;
  }

  private long distinctClasses(int[] labels) {
    return IntStream.range(0, labels.length)
        .filter(item -> position[item] != NEVER)
        .mapToLong(item -> (long) batchOf[item] << Integer.SIZE | labels[item])
        .distinct()
        .count();
  }

  /** Adds up the hypergeometric probabilities that a batch drawn at random has a class. */
  private double expectedClasses(int[] members) {
    double sum = 0;
    double last = 0;
    for (int batch = 0; batch < batches; batch++) {
      if (batch == 0 || batchSizes[batch] != batchSizes[batch - 1]) {
        last = expectedClasses(members, batchSizes[batch]);
      }
      sum += last;
    }
    return sum / batches;
  }

  private double expectedClasses(int[] members, int size) {
    double present = 0;
    for (int count : members) {
      double absent = 1;
      for (int i = 0; i < size && absent > 0; i++) {
        absent *= Math.max(0, delivered - count - i) / (double) (delivered - i);
      }
      present += 1 - absent;
    }
    return present;
  }

  /**
   * Returns how many pairs of items that shared a batch in the epoch before share one again. Chunks
   * make the same neighbours meet oftener.
   */
  public Figure pairsMeetingAgain(ShuffleQuality before) {
    long[] meetings =
        IntStream.range(0, batchOf.length)
            .filter(item -> batchOf[item] != NEVER && before.batchOf[item] != NEVER)
            .mapToLong(item -> (long) before.batchOf[item] << Integer.SIZE | batchOf[item])
            .sorted()
            .toArray();
    double again = 0;
    int run = 0;
    for (int i = 0; i < meetings.length; i++) {
      run = i > 0 && meetings[i] == meetings[i - 1] ? run + 1 : 0;
      again += run;
    }
    double allPairs = batchOf.length * (batchOf.length - 1.0) / 2;
    return new Figure(again, allPairs == 0 ? 0 : pairs() * before.pairs() / allPairs);
  }

  /** Returns how many pairs of items share a batch. */
  private double pairs() {
    double sum = 0;
    for (int i = 0; i < batches; i++) {
      sum += batchSizes[i] * (batchSizes[i] - 1.0) / 2;
    }
    return sum;
  }
}
