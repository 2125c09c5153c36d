package io.quiver.simulator.experiment;

/** Is told how far an experiment is, from any thread, one call at a time. */
@FunctionalInterface
public interface Progress {
  /** Takes no notice. */
  Progress NONE = (done, total) -> {};

  /** So many of all simulations are over. */
  void step(int done, int total);
}
