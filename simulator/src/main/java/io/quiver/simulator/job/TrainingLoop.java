package io.quiver.simulator.job;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayDeque;

/** The training loop: takes the batches that are ready one after another and works on them. */
final class TrainingLoop implements Handler {
  private static final double WEIGHT_OF_NEWEST = 0.1;
  private static final double NANOS = 1e9;

  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final JobProbe probe;
  private final Runnable worked;
  private final ArrayDeque<LoadedBatch> ready = new ArrayDeque<>();
  private boolean working;
  private boolean stopped;
  private long since;
  private long workNanos = -1;
  private int lastItems;
  private long batches;
  private double itemSeconds;

  /**
   * A loop that has got nothing yet.
   *
   * @param probe told how long batches took
   * @param worked told when it has finished with a batch
   */
  TrainingLoop(Engine engine, Trace trace, JobSetup setup, JobProbe probe, Runnable worked) {
    this.engine = engine;
    this.trace = trace;
    this.setup = setup;
    this.probe = probe;
    this.worked = worked;
  }

  void begin() {
    since = engine.now();
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
    return working;
  }

  /** How many batches it has taken. */
  long batches() {
    return batches;
  }

  /** Takes the next batch if it is free and there is one; says whether it did. */
  boolean take(int epoch) {
    if (working || ready.isEmpty()) {
      return false;
    }
    LoadedBatch batch = ready.remove();
    int[] items = batch.items();
    long waited = engine.now() - since;
    working = true;
    batches++;
    lastItems = items.length;
    trace.delivered(engine.now(), setup.index(), epoch, items, waited);
    probe.delivered(batch, workNanos < 0 ? workNanos : workNanos + waited, waited, engine.now());
    since = engine.now();
    engine.after(setup.gpu().nanos((double) items.length / setup.batch()), this, 0);
    return true;
  }

  /** It has finished with a batch. */
  @Override
  public void happen(long what) {
    if (stopped) {
      return;
    }
    working = false;
    workNanos = engine.now() - since;
    learn(workNanos / NANOS / lastItems);
    since = engine.now();
    worked.run();
  }

  private void learn(double seconds) {
    itemSeconds =
        itemSeconds == 0 ? seconds : itemSeconds + WEIGHT_OF_NEWEST * (seconds - itemSeconds);
  }

  /** How long it works on an item; 0 while unknown. */
  double itemSeconds() {
    return itemSeconds;
  }

  /** For how long it has not asked for a batch. */
  double idleSeconds() {
    return working ? (engine.now() - since) / NANOS : 0;
  }
}
