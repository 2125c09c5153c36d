package io.quiver.simulator.experiment;

/** Is told how far an experiment is, from any thread, one call at a time. */
@FunctionalInterface
public interface ExperimentProgress {
  /** Takes no notice. */
  ExperimentProgress NONE = (done, total) -> {};

  /** Tells how many of all simulations are over. */
  void step(int done, int total);
}
