package io.quiver.benchmarks.demo.run;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Tracks the progress of a job, written by its own thread and read by others. */
final class JobProgress {
  /** The stages of a job. */
  enum Stage {
    WAITING,
    RUNNING,
    DONE
  }

  private final AtomicLong items = new AtomicLong();
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

  void delivered(int count) {
    items.addAndGet(count);
  }

  void enter(Stage next) {
    stage.set(next);
  }

  long items() {
    return items.get();
  }

  boolean done() {
    return stage.get() == Stage.DONE;
  }
}
