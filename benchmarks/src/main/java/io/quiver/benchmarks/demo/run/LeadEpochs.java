package io.quiver.benchmarks.demo.run;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Counts the epochs that the job in front went through while any job ran. Jobs that start together
 * and are equally fast share each turn of the data set, and it is as many as each of them has. Jobs
 * that start late or are slow go on when the first are done, so the data set is gone through more
 * often, and no cache that is smaller can have it read less.
 */
final class LeadEpochs {
  private LeadEpochs() {}

  /** Returns the sum over time of the pace of whoever is fastest just then, each taken as even. */
  static double of(List<DemoJobResult> jobs) {
    double[] times =
        jobs.stream()
            .flatMapToDouble(job -> DoubleStream.of(job.startSeconds(), job.endSeconds()))
            .sorted()
            .toArray();
    double epochs = 0;
    for (int i = 1; i < times.length; i++) {
      double middle = (times[i - 1] + times[i]) / 2;
      double pace =
          jobs.stream()
              .filter(job -> job.startSeconds() <= middle && middle < job.endSeconds())
              .mapToDouble(job -> job.epochEnds().size() / job.seconds())
              .max()
              .orElse(0);
      epochs += pace * (times[i] - times[i - 1]);
    }
    return epochs;
  }
}
