package io.quiver.simulator.shade;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Compares policies of sampling and keeping by the share of reads that the cache answers, and by
 * the share of different samples that an epoch has: one is easily bought with the other. First
 * reads count as misses.
 */
public final class ShadeStudy {
  /** The sizes of the cache, as shares of the data set. */
  private static final List<Double> FRACTIONS = List.of(0.1, 0.2, 0.5, 0.75);

  private final SampleTrace.Size size;
  private final Map<SampleTrace.Sampling, SampleTrace> traces =
      new EnumMap<>(SampleTrace.Sampling.class);

  /**
   * The result of a policy with a cache.
   *
   * @param policy its name
   * @param cacheFraction size of the cache, as a share of the data set
   * @param hitRatio share of all reads that the cache answered
   * @param coverage mean share of different samples in an epoch
   */
  public record Row(String policy, double cacheFraction, double hitRatio, double coverage) {}

  /**
   * Sets a study up.
   *
   * @param items samples of the data set
   * @param epochs how often it is gone through
   * @param batch samples of a batch
   * @param seed decides everything random
   */
  public ShadeStudy(int items, int epochs, int batch, long seed) {
    this.size = new SampleTrace.Size(items, epochs, batch, seed);
  }

  /** Returns how many results there will be. */
  public static int results() {
    return FRACTIONS.size() * SamplePolicy.values().length;
  }

  /**
   * Replays every policy with every cache.
   *
   * @param progress told after each how many are done
   */
  public List<Row> run(IntConsumer progress) {
    List<Row> rows = new ArrayList<>();
    for (SamplePolicy policy : SamplePolicy.values()) {
      SampleTrace trace =
          traces.computeIfAbsent(policy.sampling(), sampling -> SampleTrace.of(size, sampling));
      for (double fraction : FRACTIONS) {
        double hits = hitRatio(trace, policy, (int) (fraction * size.items()));
        rows.add(new Row(policy.text(), fraction, hits, trace.coverage()));
        progress.accept(rows.size());
      }
    }
    return rows;
  }

  private double hitRatio(SampleTrace trace, SamplePolicy policy, int capacity) {
    SamplePolicy.Replay replay = policy.replay(trace, capacity);
    long hits = 0;
    for (int epoch = 0; epoch < size.epochs(); epoch++) {
      int[] entries = trace.list(epoch).entries();
      int[] learned = trace.learned(epoch);
      for (int from = 0; from < entries.length; from += size.batch()) {
        int end = Math.min(entries.length, from + size.batch());
        for (int place = from; place < end; place++) {
          hits += replay.read(entries[place], epoch, place) ? 1 : 0;
        }
        for (int place = from; place < end; place++) {
          replay.learned(entries[place], learned[place]);
        }
      }
    }
    return (double) hits / ((long) size.items() * size.epochs());
  }
}
