package io.quiver.core.plan;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * A number for each chunk, kept as plain numbers: a manager of ten thousand jobs goes through
 * millions of them for every plan.
 */
final class ChunkCounts extends AbstractList<Integer> implements RandomAccess {
  private final int[] counts;

  private ChunkCounts(int[] counts) {
    this.counts = counts;
  }

  /** The same numbers, which do not change. */
  static ChunkCounts copyOf(List<Integer> numbers) {
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

  /** The same number for so many chunks. */
  static ChunkCounts same(int chunks, int number) {
    int[] counts = new int[chunks];
    Arrays.fill(counts, number);
    return new ChunkCounts(counts);
  }

  /** The number of a chunk. */
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
