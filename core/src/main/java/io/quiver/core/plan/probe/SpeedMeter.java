package io.quiver.core.plan.probe;

import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.Timing;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Measures how fast a training loop is with its data supplied in different ways, from the times at
 * which it is handed batches (Quiver, §5.3). Effects of the loader's queue are left out: batches
 * after a change of supply mode do not count, and those that do are timed in blocks. Live loaders
 * and the simulator use it alike. For one rank; not thread-safe; times are nanoseconds of any
 * origin.
 */
public final class SpeedMeter {
  private static final double NANOS = 1e9;

  /** The weight of a batch in the share of waiting, compared with the one after it. */
  private static final double KEPT = 0.98;

  /** A loop that works this many times longer than usual pauses. */
  private static final double LONGEST_WORK = 5;

  /** The number of batches before the usual pause is known. */
  private static final int FIRST_PAUSE = 8;

  private static final double WEIGHT_OF_NEWEST = 0.1;

  /** Chunks take turns more slowly than batches do. */
  private static final int TURNS = 4;

  /**
   * Settings for measuring a job's speed.
   *
   * @param discarded how many batches after a change of supplyMode tell nothing, because the loader
   *     had begun to read them, or others beside them, before
   * @param block how many batches are timed together: batches that are read at the same time come
   *     at the same time, too, so that one by itself tells nothing
   * @param blocks how many of the latest blocks count
   */
  public record MeterConfig(int discarded, int block, int blocks) {
    private static final int BLOCKS = 15;

    /** Refuses what measures nothing. */
    public MeterConfig {
      if (discarded < 0 || block < 1 || blocks < 1) {
        throw new IllegalArgumentException(
            blocks + " blocks of " + block + " batches after " + discarded);
      }
    }

    /** Returns the settings for a loader that reads so many batches ahead. */
    public static MeterConfig ahead(int batches) {
      return new MeterConfig(2 * batches, 2 * batches, BLOCKS);
    }

    /**
     * Returns how many batches a probe needs: two whole blocks, whatever is under way before and
     * after.
     */
    public int leastProbe() {
      return 2 * discarded + 2 * block;
    }
  }

  /**
   * A batch that was handed to the training loop.
   *
   * @param items how many items it has
   * @param nanos time since the one before, without pauses the loop made for other reasons;
   *     negative when there was none before
   * @param waitedNanos how much of that the loop waited for it
   * @param supplyMode how it was supplied
   * @param probed whether it was supplied so for a probe's sake
   */
  public record Delivery(
      int items, long nanos, long waitedNanos, SupplyMode supplyMode, boolean probed) {}

  private final MeterConfig config;
  private final BlockTimes hit;
  private final BlockTimes shared;
  private final BlockTimes miss;
  private SupplyMode current = SupplyMode.MIXED;
  private int toDiscard;
  private int inBlock;
  private long blockItems;
  private long blockNanos;
  private long batches;
  private long probed;
  private double usualWork;
  private double recentNanos;
  private double recentWaited;

  /** Makes a meter that has measured nothing. */
  public SpeedMeter(MeterConfig config) {
    this.config = config;
    this.hit = new BlockTimes(config.blocks());
    this.shared = new BlockTimes(TURNS * config.blocks());
    this.miss = new BlockTimes(config.blocks());
    begin();
  }

  /** Notes that the loop begins an epoch or comes back from a pause: its queue is empty. */
  public void begin() {
    toDiscard = config.discarded();
    startBlock();
  }

  private void startBlock() {
    inBlock = 0;
    blockItems = 0;
    blockNanos = 0;
  }

  /** Takes a batch into account. */
  public void delivered(Delivery batch, long now) {
    batches++;
    probed += batch.probed() ? 1 : 0;
    if (batch.supplyMode() != current) {
      current = batch.supplyMode();
      begin();
    }
    if (batch.nanos() < 0 || batch.items() < 1) {
      return;
    }
    noteWaiting(batch);
    if (isPause(batch)) {
      begin();
      return;
    }
    if (toDiscard > 0) {
      toDiscard--;
      return;
    }
    inBlock++;
    blockItems += batch.items();
    blockNanos += batch.nanos();
    if (inBlock == config.block()) {
      times(current, blockNanos / NANOS / blockItems, now);
      startBlock();
    }
  }

  /** Returns true if the loop did something else before it asked, such as writing a checkpoint. */
  private boolean isPause(Delivery batch) {
    double work = Math.max(0, batch.nanos() - batch.waitedNanos());
    double longest = LONGEST_WORK * usualWork;
    boolean pause = batches > FIRST_PAUSE && work > longest;
    usualWork += usualWork == 0 ? work : WEIGHT_OF_NEWEST * (Math.min(work, longest) - usualWork);
    return pause;
  }

  private void noteWaiting(Delivery batch) {
    recentNanos = KEPT * recentNanos + batch.nanos();
    recentWaited = KEPT * recentWaited + Math.clamp(batch.waitedNanos(), 0, batch.nanos());
  }

  private void times(SupplyMode supplyMode, double seconds, long now) {
    switch (supplyMode) {
      case HIT -> hit.add(seconds, now);
      case SHARED -> shared.add(seconds, now);
      case MISS -> miss.add(seconds, now);
      case MIXED -> {}
    }
  }

  /**
   * Returns what has been measured.
   *
   * @param toCome how many batches are to come in this run; negative when nobody knows
   * @param lastProbe the last probe that is finished
   */
  public JobSpeeds speeds(long toCome, long lastProbe, long now) {
    return new JobSpeeds(
        hit.middle(config.block(), now),
        shared.mean(config.block(), now),
        miss.middle(config.block(), now),
        recentNanos == 0 ? 0 : Math.clamp(recentWaited / recentNanos, 0, 1),
        batches,
        probed,
        toCome,
        config.leastProbe(),
        lastProbe);
  }

  /** The times of the latest blocks of batches under one supply mode. */
  private static final class BlockTimes {
    private final int most;
    private final Deque<Double> blocks = new ArrayDeque<>();
    private long latest;
    private int added;

    BlockTimes(int most) {
      this.most = most;
    }

    void add(double itemSeconds, long now) {
      if (blocks.size() == most) {
        blocks.removeFirst();
      }
      blocks.addLast(itemSeconds);
      latest = now;
      added++;
    }

    /**
     * Returns the mean of the middle half, for what is the same from batch to batch but for
     * disturbances: a median that does not depend on a single block when there are few.
     */
    Timing middle(int block, long now) {
      double[] sorted = sorted();
      int left = sorted.length / 4;
      double mean = Arrays.stream(sorted, left, sorted.length - left).average().orElse(0);
      return timing(mean, block, now);
    }

    /**
     * Returns the mean without the longest one, for what comes in turns: some blocks wait, others
     * do not.
     */
    Timing mean(int block, long now) {
      double[] sorted = sorted();
      int counted = sorted.length > 2 ? sorted.length - 1 : sorted.length;
      return timing(Arrays.stream(sorted, 0, counted).average().orElse(0), block, now);
    }

    private double[] sorted() {
      return blocks.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private Timing timing(double seconds, int block, long now) {
      return blocks.isEmpty()
          ? Timing.NONE
          : new Timing(seconds, added * block, Math.max(0, now - latest) / 1e9);
    }
  }
}
