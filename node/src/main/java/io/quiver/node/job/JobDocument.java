package io.quiver.node.job;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.plan.Caching;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run's result for scripts. A stable document; new fields may be added.
 *
 * @param job the job's name
 * @param dataset the first eight digits of the data set's identity
 * @param items how many items that has
 * @param bytes how long they are together
 * @param batch items one rank takes at a time
 * @param ranks how many ranks
 * @param sampler how epochs were put in order
 * @param seed what decided the orders
 * @param cache whether the cache was used
 * @param ledger where the ledgers are, null if they were not kept
 * @param seconds how long all epochs took
 * @param samples samples delivered
 * @param samplesPerSecond how many in a second
 * @param hitRatio which part of them came from the cache, 0 to 1
 * @param stall which part of their time the ranks waited, 0 to 1
 * @param storeReads items read from the store
 * @param storeBytes their bytes
 * @param duplicates items read from the store that the cache had when they were inserted
 * @param changedItems items that were not what the digest says
 * @param wrongItems items from the cache whose bytes were not the right ones
 * @param exactlyOnce whether every epoch was exactly once
 * @param epochs each epoch
 */
public record JobDocument(
    String job,
    String dataset,
    int items,
    long bytes,
    int batch,
    int ranks,
    String sampler,
    long seed,
    boolean cache,
    @Nullable String ledger,
    double seconds,
    long samples,
    double samplesPerSecond,
    double hitRatio,
    double stall,
    long storeReads,
    long storeBytes,
    long duplicates,
    long changedItems,
    long wrongItems,
    boolean exactlyOnce,
    List<Epoch> epochs) {

  /** One epoch; the fields mean what they do for all of them. */
  public record Epoch(
      int epoch,
      double seconds,
      long samples,
      double samplesPerSecond,
      double hitRatio,
      double stall,
      long storeReads,
      long storeBytes,
      long duplicates,
      long changedItems,
      int missing,
      int doubled,
      long padded,
      boolean exactlyOnce) {
    static Epoch of(EpochResult result) {
      return new Epoch(
          result.epoch(),
          rounded(result.seconds()),
          result.delivered().items(),
          rounded(result.samplesPerSecond()),
          rounded(result.delivered().hitRatio()),
          rounded(result.times().stall()),
          result.store().reads(),
          result.store().bytes(),
          result.store().duplicates(),
          result.store().mismatches(),
          result.proof().missing(),
          result.proof().doubled(),
          result.proof().padded(),
          result.proof().exactlyOnce());
    }
  }

  /** Returns the document of a run. */
  public static JobDocument of(JobSummary summary) {
    LoaderConfig config = summary.config();
    EpochResult total = summary.total().orElse(EpochResult.none(summary.exactlyOnce()));
    return new JobDocument(
        summary.job(),
        JobLedger.dataset(config),
        config.digest().itemCount(),
        config.digest().totalBytes(),
        config.batch(),
        config.ranks(),
        config.sampler().text(),
        config.seed(),
        config.caching() != Caching.NONE,
        summary.ledger().map(Path::toString).orElse(null),
        rounded(total.seconds()),
        total.delivered().items(),
        rounded(total.samplesPerSecond()),
        rounded(total.delivered().hitRatio()),
        rounded(total.times().stall()),
        total.store().reads(),
        total.store().bytes(),
        total.store().duplicates(),
        total.store().mismatches(),
        summary.wrongItems(),
        summary.exactlyOnce(),
        summary.epochs().stream().map(Epoch::of).toList());
  }

  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
