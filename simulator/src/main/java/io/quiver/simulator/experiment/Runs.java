package io.quiver.simulator.experiment;

import io.quiver.simulator.Simulation;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the simulations of an experiment side by side, each in a thread, and lets none pass that a
 * judge objects to.
 */
public final class Runs {
  /** Is told how far an experiment is, from any thread, one call at a time. */
  @FunctionalInterface
  public interface Listener {
    /** Takes no notice. */
    Listener NONE = (done, total) -> {};

    /** Tells how many of all simulations are over. */
    void step(int done, int total);
  }

  private static final int THREADS = 2;

  private final long seed;
  private final List<Scenario> scenarios = new ArrayList<>();
  private final List<List<Trace>> watchers = new ArrayList<>();

  /** Makes an experiment without simulations; all will have this seed. */
  Runs(long seed) {
    this.seed = seed;
  }

  /** Adds a simulation. */
  void add(Scenario scenario, Trace... watching) {
    scenarios.add(scenario);
    watchers.add(List.of(watching));
  }

  /** Runs all; returns the results in the order of adding. */
  List<SimulationResult> run(Listener progress) {
    AtomicInteger done = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<SimulationResult>> futures = new ArrayList<>();
      for (int i = 0; i < scenarios.size(); i++) {
        int number = i;
        futures.add(threads.submit(() -> runOne(number, done, progress)));
      }
      List<SimulationResult> results = new ArrayList<>();
      for (Future<SimulationResult> future : futures) {
        results.add(result(future));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private SimulationResult runOne(int number, AtomicInteger done, Listener progress) {
    Scenario scenario = scenarios.get(number);
    SimulationResult result = Simulation.run(scenario, seed, watchers.get(number));
    if (!result.violations().isEmpty()) {
      throw new IllegalStateException(scenario.name() + ": " + result.violations());
    }
    synchronized (done) {
      progress.step(done.incrementAndGet(), scenarios.size());
    }
    return result;
  }

  private static SimulationResult result(Future<SimulationResult> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a simulation failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while simulations run", e);
    }
  }
}
