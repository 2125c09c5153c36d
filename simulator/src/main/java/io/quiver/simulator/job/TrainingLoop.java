package io.quiver.simulator.job;

import io.quiver.core.engine.JobMeter;
import io.quiver.core.engine.LoopClock;
import io.quiver.core.plan.probe.SpeedMeter.Delivery;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.trace.Trace;

/** The training loop: takes batches one after another and lets the GPUs work on them. */
final class TrainingLoop implements Handler {
  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final JobMeter meter;
  private final Runnable probed;
  private final Runnable worked;
  private final SeededNumbers random;
  private final LoopClock clock = new LoopClock();
  private boolean stopped;
  private long batches;
  private long begunAt;

  /**
   * Makes a loop that has got nothing yet.
   *
   * @param meter told how long batches took
   * @param probed told when a probe has ended
   * @param worked told when it has finished with a batch
   */
  TrainingLoop(
      Engine engine,
      Trace trace,
      JobSetup setup,
      JobMeter meter,
      Runnable probed,
      Runnable worked) {
    this.engine = engine;
    this.trace = trace;
    this.setup = setup;
    this.meter = meter;
    this.probed = probed;
    this.worked = worked;
    this.random = SeededNumbers.of(setup.seed(), "gpu " + setup.name());
  }

  void begin() {
    clock.asked(engine.now());
  }

  void stop() {
    stopped = true;
  }

  boolean isWorking() {
    return clock.isWorking();
  }

  /** Returns the number of batches it has taken. */
  long batches() {
    return batches;
  }

  /** Begins to work on a batch; it must be free. */
  void take(SimulatedBatch batch, int epoch) {
    int[] items = batch.items();
    LoopClock.Interval interval = clock.answered(engine.now(), items.length);
    batches++;
    trace.delivered(engine.now(), setup.index(), epoch, items, interval.waited());
    Delivery delivery =
        new Delivery(
            items.length,
            interval.nanos(),
            interval.waited(),
            batch.supplyMode(),
            batch.isProbed());
    if (meter.delivered(0, delivery, engine.now())) {
      probed.run();
    }
    double share = (double) items.length / setup.batch();
    begunAt = engine.now();
    engine.after(setup.spec().compute().nanos(share, random), this, batch.number());
  }

  /** Ends the work on a batch. */
  @Override
  public void happen(long number) {
    if (stopped) {
      return;
    }
    trace.computed(engine.now(), setup.index(), number, begunAt);
    clock.asked(engine.now());
    worked.run();
  }

  /** Returns the time it works on an item; 0 while unknown. */
  double itemSeconds() {
    return clock.itemSeconds();
  }

  /** Returns the time since it last asked for a batch. */
  double idleSeconds() {
    return clock.idleSeconds(engine.now());
  }
}
