package io.quiver.core.engine;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.report.DoorReport;
import java.time.Duration;

/**
 * Measures what programs read through a door: how often, how long it takes from the cache and from
 * the store, and how many bytes are read again and again. Old reads count less and less. The time
 * is passed in; one thread at a time.
 */
public final class DoorMeter {
  /** After this time a read counts for about a third. */
  private static final Duration MEMORY = Duration.ofSeconds(30);

  /** A block that was not read for this long, or for twice as long, is no longer wanted. */
  private static final Duration GENERATION = Duration.ofMinutes(10);

  private static final double NANOS_PER_SECOND = 1e9;

  private final long began;
  private final Answers fromCache = new Answers();
  private final Answers fromStore = new Answers();
  private DistinctSketch young = new DistinctSketch();
  private DistinctSketch old = new DistinctSketch();
  private double blockBytes;
  private long generationBegan;
  private long at;

  /** The reads that one place has answered. */
  private static final class Answers {
    private double count;
    private double seconds;
    private double lastMean;

    void note(double took) {
      count++;
      seconds += took;
      lastMean = seconds / count;
    }

    void age(double factor) {
      count *= factor;
      seconds *= factor;
    }

    double mean() {
      return lastMean == 0 ? 0 : Math.clamp(lastMean, Bounds.MIN_SECONDS, Bounds.MAX_SECONDS);
    }
  }

  /**
   * The identity of the door that reports.
   *
   * @param door its name
   * @param instance chosen at random when it started
   * @param user whose it is; may be empty
   */
  public record Reporter(String door, String instance, String user) {}

  /** Begins at this time, in nanoseconds of a steady clock. */
  public DoorMeter(long now) {
    this.began = now;
    this.at = now;
    this.generationBegan = now;
  }

  /**
   * Notes that a program has read a block, or has been read it ahead.
   *
   * @param block bits of the block's name, as good as random
   * @param bytes how long the block is
   * @param fromTheStore whether the store had to be asked
   * @param tookNanos how long the answer took
   */
  public void noteRead(long block, long bytes, boolean fromTheStore, long tookNanos, long now) {
    age(now);
    (fromTheStore ? fromStore : fromCache).note(Math.max(1, tookNanos) / NANOS_PER_SECOND);
    young.note(block);
    blockBytes += (bytes - blockBytes) / Math.min(1000, young.estimate());
  }

  private void age(long now) {
    if (now <= at) {
      return;
    }
    double factor = Math.exp(-(double) (now - at) / MEMORY.toNanos());
    fromCache.age(factor);
    fromStore.age(factor);
    at = now;
    if (now - generationBegan > GENERATION.toNanos()) {
      DistinctSketch spare = old;
      old = young;
      young = spare;
      young.clear();
      generationBegan = now;
    }
  }

  /** Returns the bytes of the blocks read lately. */
  public long workingBytes() {
    DistinctSketch both = new DistinctSketch();
    both.noteAll(old);
    both.noteAll(young);
    return (long) Math.min(Bounds.MAX_BYTES, both.estimate() * blockBytes);
  }

  /**
   * Returns the report of the moment.
   *
   * @param sequence grows with every report
   * @param planVersion the plan the door acts upon
   * @param leaving whether this is the last report
   */
  public DoorReport report(
      Reporter reporter, long sequence, long planVersion, boolean leaving, long now) {
    age(now);
    double reads = fromCache.count + fromStore.count;
    double memory = MEMORY.toNanos() / NANOS_PER_SECOND;
    double seen = memory * -Math.expm1(-(double) (at - began) / MEMORY.toNanos());
    boolean any = reads > 1e-6 && seen > 0;
    return new DoorReport(
        reporter.door(),
        reporter.instance(),
        sequence,
        reporter.user(),
        workingBytes(),
        any ? reads / Math.max(seen, 1) : 0,
        any ? Math.clamp(fromStore.count / reads, 0, 1) : 0,
        fromCache.mean(),
        fromStore.mean(),
        planVersion,
        leaving);
  }
}
