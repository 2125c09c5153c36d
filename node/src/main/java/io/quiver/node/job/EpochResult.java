package io.quiver.node.job;

import io.quiver.client.loader.LoaderStatistics.DeliveredItems;
import io.quiver.client.loader.LoaderStatistics.StoreTraffic;

/**
 * The result of one epoch of a job, all ranks together.
 *
 * @param epoch which, from 0
 * @param seconds how long it took
 * @param delivered the items delivered, padding included
 * @param store the items read from the store, also for others and ahead of time
 * @param times how long the ranks waited and worked, added up
 * @param proof what the ledgers say
 */
public record EpochResult(
    int epoch,
    double seconds,
    DeliveredItems delivered,
    StoreTraffic store,
    LoopTimes times,
    Proof proof) {

  /**
   * The time of training loops, in seconds.
   *
   * @param waited how long they waited for batches
   * @param worked how long they worked on them
   */
  public record LoopTimes(double waited, double worked) {
    /** Returns which part of the time they waited. */
    public double stall() {
      return waited + worked == 0 ? 0 : waited / (waited + worked);
    }

    /** Returns both together. */
    public LoopTimes plus(LoopTimes other) {
      return new LoopTimes(waited + other.waited, worked + other.worked);
    }
  }

  /**
   * The verdict of the ledgers.
   *
   * @param missing items that did not come
   * @param doubled items that came more than once
   * @param padded deliveries that only keep the ranks in step
   * @param exactlyOnce whether the ledgers prove this epoch, and those before that an earlier run
   *     began
   */
  public record Proof(int missing, int doubled, long padded, boolean exactlyOnce) {
    private Proof plus(Proof other) {
      return new Proof(
          missing + other.missing,
          doubled + other.doubled,
          padded + other.padded,
          exactlyOnce && other.exactlyOnce);
    }
  }

  /** Returns the result of no epoch at all. */
  static EpochResult none(boolean exactlyOnce) {
    return new EpochResult(
        0,
        0,
        DeliveredItems.NOTHING,
        StoreTraffic.NOTHING,
        new LoopTimes(0, 0),
        new Proof(0, 0, 0, exactlyOnce));
  }

  /** Returns the samples delivered per second. */
  public double samplesPerSecond() {
    return seconds > 0 ? delivered.items() / seconds : 0;
  }

  /** Returns both together; the epoch's number is of no meaning then. */
  EpochResult plus(EpochResult other) {
    return new EpochResult(
        other.epoch,
        seconds + other.seconds,
        delivered.plus(other.delivered),
        store.plus(other.store),
        times.plus(other.times),
        proof.plus(other.proof));
  }
}
