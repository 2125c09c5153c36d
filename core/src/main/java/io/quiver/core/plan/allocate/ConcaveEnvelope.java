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
    int[] corners = new int[most + 1];
    int count = 1;
    for (int held = 1; held <= most; held++) {
      while (count > 1
          && perByte(demand, saved, corners[count - 1], held)
              >= perByte(demand, saved, corners[count - 2], corners[count - 1])) {
        count--;
      }
      corners[count++] = held;
    }
    List<Step> steps = new ArrayList<>(count);
    for (int i = 1; i < count; i++) {
      Step step = between(demand, saved, corners[i - 1], corners[i]);
      if (step.gain > NOTHING) {
        steps.add(step);
      }
    }
    return steps;
  }

  private static double perByte(Demand demand, double[] saved, int from, int to) {
    return (saved[to] - saved[from]) / Math.max(demand.bytes(to) - demand.bytes(from), 1);
  }

  private static Step between(Demand demand, double[] saved, int from, int to) {
    return new Step(to, demand.bytes(to) - demand.bytes(from), saved[to] - saved[from]);
  }
}
