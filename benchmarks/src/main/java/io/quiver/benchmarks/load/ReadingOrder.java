package io.quiver.benchmarks.load;

/** The order blobs are read in: the same permutation that the load generator in C makes. */
final class ReadingOrder {
  private long state;

  private ReadingOrder(long seed) {
    state = seed;
  }

  /** Numbers from 0 to count, shuffled as the seed says. */
  static int[] of(int count, long seed) {
    ReadingOrder random = new ReadingOrder(seed);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    for (int i = count - 1; i > 0; i--) {
      int j = (int) Long.remainderUnsigned(random.next(), i + 1L);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    return order;
  }

  private long next() {
    long z = state += 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
