package io.quiver.simulator.shade;

import io.quiver.simulator.experiment.Runs;
import java.util.List;

/**
 * Compares policies of sampling and keeping by the share of reads that the cache answers, and by
 * the share of different samples that an epoch has: one is easily bought with the other. First
 * reads count as misses.
 */
public final class ShadeStudy {
  /** The sizes of the cache, as shares of the data set. */
  private static final List<Double> FRACTIONS = List.of(0.1, 0.2, 0.5, 0.75);

  private final Traces traces;

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
    this.traces =
        new Traces(
            new SampleTrace.Size(items, epochs, batch, seed), GeneratedSamples.Kind.FEW_CLASSES);
  }

  /** Trains and replays every policy with every cache. */
  public List<Row> run(Runs.Listener progress) {
    return new Steps(SamplePolicy.values().length, progress)
            .all(
                List.of(SamplePolicy.values()),
                policy -> FRACTIONS.stream().map(fraction -> row(policy, fraction)).toList())
            .stream()
            .flatMap(List::stream)
            .toList();
  }

  private Row row(SamplePolicy policy, double fraction) {
    double hits = traces.hitRatio(policy.sampling(), policy.keeping(), fraction);
    double coverage = traces.get(policy.sampling(), fraction).coverage();
    return new Row(policy.text(), fraction, hits, coverage);
  }
}
