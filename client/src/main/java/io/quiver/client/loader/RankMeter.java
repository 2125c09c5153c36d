package io.quiver.client.loader;

import io.quiver.core.engine.JobMeter;
import io.quiver.core.engine.LoopClock;
import io.quiver.core.plan.probe.SpeedMeter.Delivery;

/**
 * Times the training loop of one rank and has it try out what the manager asks for. Safe for use by
 * several threads; the ranks of a job share one meter, which is also their lock.
 */
final class RankMeter {
  private final JobMeter meter;
  private final int index;
  private final Tally tally;
  private final LoopClock clock = new LoopClock();

  /** Makes the meter of a rank, which is counted among the ranks of this process. */
  RankMeter(JobMeter meter, int index, Tally tally) {
    this.meter = meter;
    this.index = index;
    this.tally = tally;
  }

  /** Begins an epoch, with so many batches to come in this run. */
  void begin(long batches) {
    synchronized (meter) {
      meter.begin(index, batches);
    }
  }

  /** Returns true if the next batch is to be supplied as a probe asks. */
  boolean probesNext() {
    synchronized (meter) {
      return meter.probesNext(index);
    }
  }

  /** Notes that the loop asks for a batch: it has finished the last one. */
  void asked(long now) {
    synchronized (meter) {
      LoopClock.Work work = clock.asked(now);
      tally.add(Tally.Of.WAIT_NANOS, work.others());
      tally.add(Tally.Of.TRANSFORM_NANOS, work.transform());
      tally.add(Tally.Of.COMPUTE_NANOS, work.compute());
    }
  }

  /** Notes that the loop has got a batch; returns true if a probe ended with it. */
  boolean answered(ReadBatch batch, long now) {
    synchronized (meter) {
      LoopClock.Interval interval = clock.answered(now, batch.size());
      tally.add(Tally.Of.WAIT_NANOS, interval.waited());
      Delivery delivery =
          new Delivery(
              batch.size(), interval.nanos(), interval.waited(), batch.supply(), batch.probed());
      return meter.delivered(index, delivery, now);
    }
  }

  void transformed(long nanos) {
    synchronized (meter) {
      clock.transformed(nanos);
    }
  }

  void waitedForOthers(long nanos) {
    synchronized (meter) {
      clock.waitedForOthers(nanos);
    }
  }

  double itemSeconds() {
    synchronized (meter) {
      return clock.itemSeconds();
    }
  }

  double idleSeconds(long now) {
    synchronized (meter) {
      return clock.idleSeconds(now);
    }
  }
}
