package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.node.NodeException;
import io.quiver.simulator.experiment.Figure4;
import java.io.IOException;
import java.util.List;

/** An experiment somebody published, that can be run again here. */
public interface Experiment {
  /** Every experiment there is, in the order they are listed. */
  List<Experiment> ALL =
      List.of(
          new QuiverTable3(),
          new QuiverFigure3(),
          new QuiverFigure4(Figure4.Source.REMOTE),
          new QuiverFigure4(Figure4.Source.HITS),
          new QuiverFigure6(),
          new QuiverFigure7(),
          new QuiverSharing(),
          new QuiverFailure(),
          new LiveTable3(),
          new ShadeAccesses(false),
          new ShadeAccesses(true),
          new ShadeFigure4(),
          ShadeHits.figure5(),
          ShadeHits.figure7(),
          new ShadeTimes(8),
          new ShadeTimes(9),
          new ShadeTimes(10),
          new ShadeTimes(11),
          ShadeHits.figure12(),
          new IgtMotivation(),
          new IgtPrefetching(),
          new IgtEviction(),
          IgtPrograms.figure8(),
          new IgtLifetime(),
          IgtSharing.figure12(),
          IgtSharing.figure13(),
          IgtRecognition.figure14(),
          IgtRecognition.figure15(),
          IgtPrograms.figure16(),
          new IgtOverhead());

  /** Returns the experiment's name on the command line. */
  String name();

  /** Returns a summary of one line. */
  String summary();

  /** Runs it; the steps are told as they are done. */
  Reproduction run(Setting setting, Steps steps)
      throws IOException, BenchmarkException, NodeException, InterruptedException;

  /**
   * Settings of an experiment.
   *
   * @param seed decides everything random
   * @param storeFactor how many times as fast as the paper's the store is
   * @param program main class of the {@code quiver} program, for experiments with real processes
   */
  record Setting(long seed, double storeFactor, String program) {}

  /** Hears how far an experiment has come. */
  @FunctionalInterface
  interface Steps {
    /** Tells how many of all simulations are done. */
    void done(int done, int all);
  }
}
