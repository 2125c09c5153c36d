package io.quiver.client.loader;

import io.quiver.client.loader.Batch.ItemSource;
import io.quiver.core.engine.JobMeter;
import io.quiver.core.engine.JobReporter;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.ListState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands the batches of one rank in one epoch to the training loop, counts them and times the loop.
 * {@link RankReading} reads them.
 */
final class RankEpoch implements LoadedEpoch, JobReporter.Rank {
  private final LoaderConfig config;
  private final int number;
  private final int rank;
  private final Parts parts;
  private final Tally tally;
  private final RankMeter meter;
  private final RankReading reading;
  private int @Nullable [] handedOut;

  /**
   * The parts that all epochs of a job share.
   *
   * @param board the latest plan
   * @param reader reads batches
   * @param meter times the training loop
   * @param tally counts for the whole job
   * @param ahead begins to read what a strict order will need
   * @param news to be run when something changed that a plan depends on
   * @param managerReachable true if a new plan can be expected
   * @param importance the importance of samples; null for a job that reads every item once
   */
  record Parts(
      LatestPlan board,
      BatchReader reader,
      JobMeter meter,
      Tally tally,
      UpcomingReader.Start ahead,
      Runnable news,
      BooleanSupplier managerReachable,
      @Nullable JobImportance importance) {}

  RankEpoch(LoaderConfig config, int number, int rank, Parts parts) {
    this.config = config;
    this.number = number;
    this.rank = rank;
    this.parts = parts;
    this.tally = new Tally(parts.tally());
    this.meter = new RankMeter(parts.meter(), rank - config.rank(), tally);
    this.reading = new RankReading(config, number, rank, parts, tally, meter::probesNext);
    meter.begin(batchesToCome());
    reading.start();
  }

  private long batchesToCome() {
    int whole = Math.ceilDiv(config.digest().itemCount(), config.ranks());
    long later = config.epochs() - 1L - number;
    return Math.ceilDiv(items(), config.batch()) + later * Math.ceilDiv(whole, config.batch());
  }

  @Override
  public int epoch() {
    return number;
  }

  @Override
  public double itemSeconds() {
    return meter.itemSeconds();
  }

  @Override
  public double idleSeconds(long now) {
    return meter.idleSeconds(now);
  }

  @Override
  public int @Nullable [] remaining(int inChunks) {
    return reading.remaining(inChunks);
  }

  @Override
  public Optional<Batch> next() {
    meter.asked(System.nanoTime());
    ReadBatch batch = reading.take();
    if (batch == null) {
      return Optional.empty();
    }
    boolean handedOut = false;
    try {
      handOut(batch);
      handedOut = true;
      return Optional.of(batch);
    } finally {
      if (!handedOut) {
        batch.close();
      }
    }
  }

  private void handOut(ReadBatch batch) {
    tally.count(Tally.Of.BATCHES);
    tally.add(Tally.Of.ITEMS, batch.size());
    tally.add(Tally.Of.BYTES, batch.totalBytes());
    tally.add(Tally.Of.HITS, batch.count(ItemSource.CACHE));
    tally.add(Tally.Of.COOPERATIVE, batch.count(ItemSource.COOPERATIVE));
    tally.add(Tally.Of.SUBSTITUTED, batch.substituted());
    if (meter.answered(batch, System.nanoTime())) {
      parts.news().run();
    }
    // A state that counts a batch which no ledger has would lose it at the next resumption.
    config.listener().delivered(number, rank, batch.items());
    reading.delivered(batch);
    handedOut = batch.items();
  }

  @Override
  public void report(double[] losses) {
    JobImportance importance = parts.importance();
    int[] items = handedOut;
    if (importance == null || items == null) {
      throw new IllegalStateException(
          importance == null
              ? "job " + config.job() + " does not read by importance; make it with withImportance"
              : "no batch of epoch " + number + " was handed out yet");
    }
    importance.report(items, losses);
  }

  /** Returns which places of the epoch's list were handed out so far. */
  ListState listState() {
    return reading.listState();
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public void transformed(Duration time) {
    meter.transformed(time.toNanos());
  }

  @Override
  public void waitedForOthers(Duration time) {
    meter.waitedForOthers(time.toNanos());
  }

  @Override
  public int items() {
    return reading.items();
  }

  @Override
  public EpochState state() {
    return reading.state();
  }

  @Override
  public LoaderStatistics statistics() {
    return tally.statistics();
  }

  @Override
  public void close() {
    reading.close();
  }
}
