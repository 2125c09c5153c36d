package io.quiver.node.job;

import java.util.concurrent.Phaser;

/**
 * Keeps the ranks of a job together as data-parallel training does: nobody begins a step before all
 * have finished the last one. A rank that has no batch left leaves; the others go on without it.
 */
public final class Lockstep {
  private final Phaser steps;

  /** For so many ranks. */
  public Lockstep(int ranks) {
    steps = new Phaser(ranks);
  }

  /** Waits until all have finished this step. */
  void arrive() throws InterruptedException {
    steps.awaitAdvanceInterruptibly(steps.arrive());
  }

  /** Takes no more steps. */
  void leave() {
    steps.arriveAndDeregister();
  }
}
