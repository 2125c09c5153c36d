package io.quiver.simulator.shade;

import io.quiver.simulator.experiment.Runs;
import java.util.List;
import java.util.function.Function;

/** Does the parts of a study side by side, on all processors, and tells how many are done. */
final class Steps {
  private final int all;
  private final Runs.Listener progress;
  private int done;

  Steps(int all, Runs.Listener progress) {
    this.all = all;
    this.progress = progress;
  }

  /** Does a part for each of these; returns the results in their order. */
  <T, R> List<R> all(List<T> parts, Function<T, R> work) {
    return parts.parallelStream()
        .map(part -> {
          R result = work.apply(part);
          step();
          return result;
        })
        .toList();
  }

  private synchronized void step() {
    progress.step(++done, all);
  }
}
