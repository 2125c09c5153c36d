package io.quiver.core.plan.chunk;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * A number for each chunk, kept as plain numbers: a manager of ten thousand jobs goes through
 * millions of them for every plan.
 */
public final class ChunkCounts extends AbstractList<Integer> implements RandomAccess {
  private final int[] counts;

  private ChunkCounts(int[] counts) {
    this.counts = counts;
  }

  /** Returns these numbers in a list that does not change. */
  public static ChunkCounts copyOf(List<Integer> numbers) {
    if (numbers instanceof ChunkCounts same) {
      return same;
    }
    int[] counts = new int[numbers.size()];
    int place = 0;
    for (Integer number : numbers) {
      counts[place++] = number;
    }
    return new ChunkCounts(counts);
  }

  /** Returns these numbers, which the caller leaves as they are. */
  public static ChunkCounts of(int[] numbers) {
    return new ChunkCounts(numbers);
  }

  /** Returns one number for so many chunks. */
  public static ChunkCounts same(int chunks, int number) {
    int[] counts = new int[chunks];
    Arrays.fill(counts, number);
    return new ChunkCounts(counts);
  }

  /** Returns the number of a chunk. */
  int of(int chunk) {
    return counts[chunk];
  }

  @Override
  public Integer get(int chunk) {
    return counts[chunk];
  }

  @Override
  public int size() {
    return counts.length;
  }
}
