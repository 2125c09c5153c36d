package io.quiver.simulator.job;

import io.quiver.core.engine.JobMeter;
import io.quiver.core.engine.LoopClock;
import io.quiver.core.plan.probe.Delivery;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayDeque;

/** The training loop: takes the batches that are ready one after another and works on them. */
final class TrainingLoop implements Handler {
  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final JobMeter meter;
  private final Runnable probed;
  private final Runnable worked;
  private final ArrayDeque<LoadedBatch> ready = new ArrayDeque<>();
  private final LoopClock clock = new LoopClock();
  private boolean stopped;
  private long batches;

  /**
   * A loop that has got nothing yet.
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
  }

  void begin() {
    clock.asked(engine.now());
  }

  void stop() {
    stopped = true;
  }

  /** A batch has been read. */
  void offer(LoadedBatch batch) {
    ready.add(batch);
  }

  /** Batches that are ready. */
  int ready() {
    return ready.size();
  }

  boolean isWorking() {
    return clock.isWorking();
  }

  /** How many batches it has taken. */
  long batches() {
    return batches;
  }

  /** Takes the next batch if it is free and there is one; says whether it did. */
  boolean take(int epoch) {
    if (clock.isWorking() || ready.isEmpty()) {
      return false;
    }
    LoadedBatch batch = ready.remove();
    int[] items = batch.items();
    LoopClock.Interval interval = clock.answered(engine.now(), items.length);
    batches++;
    trace.delivered(engine.now(), setup.index(), epoch, items, interval.waited());
    Delivery delivery =
        new Delivery(
            items.length, interval.nanos(), interval.waited(), batch.supplyMode(), batch.probed());
    if (meter.delivered(0, delivery, engine.now())) {
      probed.run();
    }
    engine.after(setup.gpu().nanos((double) items.length / setup.batch()), this, 0);
    return true;
  }

  /** It has finished with a batch. */
  @Override
  public void happen(long what) {
    if (stopped) {
      return;
    }
    clock.asked(engine.now());
    worked.run();
  }

  /** How long it works on an item; 0 while unknown. */
  double itemSeconds() {
    return clock.itemSeconds();
  }

  /** For how long it has not asked for a batch. */
  double idleSeconds() {
    return clock.idleSeconds(engine.now());
  }
}
