package io.quiver.simulator.shade;

import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.shade.SampleTrace.Sampling;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Trains with a slow store behind the cache, and takes the time (SHADE, Figures 8 to 11): how fast
 * samples come, how long a batch takes to load, and when the model is as good as with shuffles.
 *
 * <p>The model is trained for real; times are computed from what the cache has. The first epoch
 * fills the cache; it counts for the time to an accuracy only.
 */
public final class TimedStudy {
  /** The sizes of the cache, as shares of the data set. */
  public static final List<Double> FRACTIONS = List.of(0.1, 0.25, 0.5, 0.75);

  /** A model has converged when it is this close to what shuffles reach in the end. */
  public static final double CONVERGED = 0.01;

  private static final List<SamplePolicy> POLICIES =
      List.of(
          SamplePolicy.LRU,
          SamplePolicy.NOPFS,
          SamplePolicy.SHADE_PAPER,
          SamplePolicy.SHADE_PUBLISHED,
          SamplePolicy.SHADE,
          SamplePolicy.SHADE_REPEAT);

  private TimedStudy() {}

  /** An accuracy and when the model had it. */
  public record Tested(double seconds, double accuracy) {}

  /**
   * The result of a policy with a cache.
   *
   * @param policy its name
   * @param cacheFraction size of the cache, as a share of the data set
   * @param hitRatio share of the reads that the cache answered, after the first epoch
   * @param coverage mean share of different samples in an epoch
   * @param samplesPerSecond samples learned in a second
   * @param loadSeconds mean time in which a batch is loaded
   * @param loadDeviation its standard deviation within an epoch
   * @param convergedSeconds time until the model has converged, infinity if it never has
   * @param finalAccuracy accuracy in the end, over the last epoch
   * @param curve accuracy over time
   */
  public record Row(
      String policy,
      double cacheFraction,
      double hitRatio,
      double coverage,
      double samplesPerSecond,
      double loadSeconds,
      double loadDeviation,
      double convergedSeconds,
      double finalAccuracy,
      List<Tested> curve) {}

  private record Part(SamplePolicy policy, double fraction) {}

  /** Returns the seconds that a sample takes the GPU, the cache and the store. */
  public static List<Double> sampleSeconds() {
    return List.of(LoadTimes.GPU, LoadTimes.HIT, LoadTimes.MISS);
  }

  /**
   * Trains with every policy and cache.
   *
   * @param seeds how many times with another data set and model; results are means over them
   */
  public static List<Row> run(
      int items, int epochs, int batch, long seed, int seeds, Runs.Listener progress) {
    List<Traces> all =
        LongStream.range(seed, seed + seeds)
            .mapToObj(each -> new SampleTrace.Size(items, epochs, batch, each))
            .map(size -> new Traces(size, GeneratedSamples.Kind.FEW_CLASSES))
            .toList();
    List<Part> parts = new ArrayList<>();
    for (double fraction : FRACTIONS) {
      POLICIES.forEach(policy -> parts.add(new Part(policy, fraction)));
    }
    return new Steps(parts.size(), progress)
        .all(parts, part -> mean(all.stream().map(traces -> row(part, traces)).toList()));
  }

  private static Row row(Part part, Traces traces) {
    SampleTrace.Size size = traces.size();
    SampleTrace trace = traces.get(part.policy.sampling(), part.fraction);
    int[] misses = traces.misses(part.policy.sampling(), part.policy.keeping(), part.fraction);
    LoadTimes times = LoadTimes.of(misses, size);
    int warm = size.batches();
    double seconds = times.learned()[misses.length - 1] - times.learned()[warm - 1];
    double reads = (double) size.items() * (size.epochs() - 1);
    double missed = IntStream.of(misses).skip(warm).sum();
    List<Tested> curve = curve(trace, times);
    double target = finalAccuracy(traces.get(Sampling.SHUFFLE, 0)) - CONVERGED;
    return new Row(
        part.policy.text(),
        part.fraction,
        1 - missed / reads,
        trace.coverage(),
        reads / seconds,
        times.mean(warm),
        times.deviation(warm, warm),
        curve.stream()
            .filter(point -> point.accuracy >= target)
            .mapToDouble(Tested::seconds)
            .findFirst()
            .orElse(Double.POSITIVE_INFINITY),
        finalAccuracy(trace),
        curve);
  }

  private static List<Tested> curve(SampleTrace trace, LoadTimes times) {
    List<Tested> curve = new ArrayList<>();
    int batches = trace.size().batches();
    for (int test = 0; test < trace.accuracies().size(); test++) {
      int within = test % SampleTrace.TESTS + 1;
      int done =
          test / SampleTrace.TESTS * batches
              + (within * batches + SampleTrace.TESTS - 1) / SampleTrace.TESTS;
      curve.add(new Tested(times.learned()[done - 1], trace.accuracies().get(test)));
    }
    return curve;
  }

  private static double finalAccuracy(SampleTrace trace) {
    List<Double> tests = trace.accuracies();
    return tests.subList(tests.size() - SampleTrace.TESTS, tests.size()).stream()
        .mapToDouble(each -> each)
        .average()
        .orElse(0);
  }

  /** Returns the means over runs; the curve is the first one's. */
  private static Row mean(List<Row> rows) {
    Row first = rows.getFirst();
    return new Row(
        first.policy,
        first.cacheFraction,
        rows.stream().mapToDouble(Row::hitRatio).average().orElse(0),
        rows.stream().mapToDouble(Row::coverage).average().orElse(0),
        rows.stream().mapToDouble(Row::samplesPerSecond).average().orElse(0),
        rows.stream().mapToDouble(Row::loadSeconds).average().orElse(0),
        rows.stream().mapToDouble(Row::loadDeviation).average().orElse(0),
        rows.stream().mapToDouble(Row::convergedSeconds).average().orElse(0),
        rows.stream().mapToDouble(Row::finalAccuracy).average().orElse(0),
        first.curve);
  }
}
