package io.quiver.simulator.shade;

import java.util.Arrays;
import java.util.Random;

/**
 * The times at which batches are loaded and learned, if some of their samples come from a slow
 * store. The loader reads a few batches ahead, one after the other; the GPU takes them in order.
 *
 * @param loading seconds that each batch takes to load
 * @param learned seconds from the start until each batch has been learned
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LoadTimes(double[] loading, double[] learned) {
  /** Seconds that a sample takes, which is five times as fast as the store: 80 % is I/O (§1). */
  static final double GPU = 0.0002;

  /** Seconds that a sample takes from the store, on average; they vary as much as half of it. */
  static final double MISS = 0.001;

  /** Seconds that a sample takes from the cache. */
  static final double HIT = 0.00002;

  private static final int BATCHES_AHEAD = 8;

  /** Computes the times of batches of which so many samples are not in the cache. */
  static LoadTimes of(int[] misses, SampleTrace.Size size) {
    Random random = new Random(size.seed());
    double[] loading = new double[misses.length];
    double[] learned = new double[misses.length];
    double loaded = 0;
    for (int batch = 0; batch < misses.length; batch++) {
      int samples = samples(batch, size);
      loading[batch] = HIT * (samples - misses[batch]);
      for (int miss = 0; miss < misses[batch]; miss++) {
        loading[batch] += MISS / 2 * (1 - StrictMath.log(1 - random.nextDouble()));
      }
      double free = batch < BATCHES_AHEAD ? 0 : learned[batch - BATCHES_AHEAD];
      loaded = Math.max(loaded, free) + loading[batch];
      double before = batch == 0 ? 0 : learned[batch - 1];
      learned[batch] = Math.max(loaded, before) + GPU * samples;
    }
    return new LoadTimes(loading, learned);
  }

  private static int samples(int batch, SampleTrace.Size size) {
    int from = batch % size.batches() * size.batch();
    return Math.min(size.batch(), size.items() - from);
  }

  /** Returns the mean of the load times of batches from this one on. */
  double mean(int from) {
    return Arrays.stream(loading).skip(from).average().orElse(0);
  }

  /** Returns their standard deviation within an epoch of so many batches, on average. */
  double deviation(int from, int epoch) {
    double sum = 0;
    for (int start = from; start < loading.length; start += epoch) {
      double[] own = Arrays.copyOfRange(loading, start, start + epoch);
      double mean = Arrays.stream(own).average().orElse(0);
      sum += Math.sqrt(Arrays.stream(own).map(each -> (each - mean) * (each - mean)).sum() / epoch);
    }
    return sum * epoch / (loading.length - from);
  }
}
