package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.List;

/**
 * The steps in which more budget makes a data set's jobs faster, the best first: corners of the
 * least concave curve above what each number of chunks is worth. Taking steps of all data sets in
 * the order of worth per byte divides the budget best, but for the last step that does not fit.
 */
final class ConcaveEnvelope {
  /** A step that saves less than this of a GPU is not worth moving a chunk. */
  private static final double NOTHING = 1e-9;

  private ConcaveEnvelope() {}

  /**
   * One step.
   *
   * @param chunks how many chunks are held after it
   * @param bytes how many bytes it takes beyond the step before
   * @param gain GPUs it saves beyond the step before
   */
  record Step(int chunks, long bytes, double gain) {
    double perByte() {
      return gain / Math.max(bytes, 1);
    }
  }

  static List<Step> of(Demand demand) {
    return of(demand, demand.gpusSaved());
  }

  /** Makes the steps of a data set that saves so much with each number of chunks. */
  static List<Step> of(Demand demand, double[] saved) {
    int most = demand.mostSteps();
    List<Step> steps = new ArrayList<>();
    for (int held = 1; held <= most; held++) {
      Step step = between(demand, saved, 0, held);
      while (!steps.isEmpty()) {
        Step last = steps.getLast();
        step = between(demand, saved, last.chunks, held);
        if (step.perByte() < last.perByte()) {
          break;
        }
        steps.removeLast();
        step = between(demand, saved, 0, held);
      }
      steps.add(step);
    }
    steps.removeIf(step -> step.gain <= NOTHING);
    return steps;
  }

  private static Step between(Demand demand, double[] saved, int from, int to) {
    return new Step(to, demand.bytes(to) - demand.bytes(from), saved[to] - saved[from]);
  }
}
