package io.quiver.simulator.job;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.scenario.Scenario.Transform;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The CPU workers of a job, which transform batches between reading and the GPUs, first come, first
 * served. A batch counts as read ahead until it is through.
 */
final class TransformStage implements Handler {
  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final Transform transform;
  private final Consumer<SimulatedBatch> done;
  private final Runnable moveOn;
  private final Queue<SimulatedBatch> waiting = new ArrayDeque<>();
  private final Map<Long, Work> working = new HashMap<>();

  private record Work(SimulatedBatch batch, long began) {}

  /**
   * Makes a stage without batches.
   *
   * @param done takes each batch that is through, before {@link #add} returns if there is nothing
   *     to do
   * @param moveOn called after each batch that took time
   */
  TransformStage(
      Engine engine, Trace trace, JobSetup setup, Consumer<SimulatedBatch> done, Runnable moveOn) {
    this.engine = engine;
    this.trace = trace;
    this.setup = setup;
    this.transform = setup.spec().transform();
    this.done = done;
    this.moveOn = moveOn;
  }

  void add(SimulatedBatch batch) {
    if (transform.batchNanos() == 0) {
      done.accept(batch);
    } else {
      waiting.add(batch);
      begin();
    }
  }

  private void begin() {
    while (working.size() < transform.workers() && !waiting.isEmpty()) {
      SimulatedBatch batch = waiting.remove();
      working.put(batch.number(), new Work(batch, engine.now()));
      double share = (double) batch.items().length / setup.batch();
      engine.after(Math.round(transform.batchNanos() * share), this, batch.number());
    }
  }

  @Override
  public void happen(long number) {
    Work work = working.remove(number);
    if (work != null) {
      trace.transformed(engine.now(), setup.index(), number, work.began);
      begin();
      done.accept(work.batch);
      moveOn.run();
    }
  }
}
