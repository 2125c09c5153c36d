package io.quiver.simulator.experiment;

import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Counts each job's mini-batches and all reads from stores, in bins of equal length. */
public final class ProgressMeter implements Trace {
  /** A value at a time, of a curve to be drawn. */
  public record Sample(double seconds, double value) {}

  private static final double NANOS = 1e9;

  private final double binSeconds;
  private final TreeMap<Integer, List<Long>> batches = new TreeMap<>();
  private final List<Long> storeBytes = new ArrayList<>();

  /** Counts in bins of this length. */
  ProgressMeter(double binSeconds) {
    this.binSeconds = binSeconds;
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    batches.put(job, new ArrayList<>());
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    add(batches.computeIfAbsent(job, any -> new ArrayList<>()), now, 1);
  }

  @Override
  public void storeRead(long now, int job, int items, long bytes, boolean demand) {
    add(storeBytes, now, bytes);
  }

  private void add(List<Long> bins, long now, long amount) {
    int bin = (int) (now / NANOS / binSeconds);
    while (bins.size() <= bin) {
      bins.add(0L);
    }
    bins.set(bin, bins.get(bin) + amount);
  }

  int jobs() {
    return batches.size();
  }

  /** Returns the mini-batches a second of a job between two times, whole bins apart. */
  double rate(int job, double from, double to) {
    return sum(batches.getOrDefault(job, List.of()), from, to) / (to - from);
  }

  /** Returns the mini-batches a second of all jobs together. */
  double rate(double from, double to) {
    return batches.keySet().stream().mapToDouble(job -> rate(job, from, to)).sum();
  }

  /** Returns the bytes a second that all jobs together read from stores. */
  double storeRate(double from, double to) {
    return sum(storeBytes, from, to) / (to - from);
  }

  private double sum(List<Long> bins, double from, double to) {
    double sum = 0;
    int end = (int) Math.min(bins.size(), Math.round(to / binSeconds));
    for (int bin = (int) Math.round(from / binSeconds); bin < end; bin++) {
      sum += bins.get(bin);
    }
    return sum;
  }

  /** Returns the progress of all jobs, a sample in the middle of each bin. */
  List<Sample> progress(double from, double to) {
    List<Sample> points = new ArrayList<>();
    for (double start = from; start + binSeconds <= to + 1e-9; start += binSeconds) {
      points.add(new Sample(start + binSeconds / 2, rate(start, start + binSeconds)));
    }
    return points;
  }

  /** Returns the average mini-batches of a job by the end of each bin. */
  List<Sample> totalPerJob() {
    int bins = batches.values().stream().mapToInt(List::size).max().orElse(0);
    List<Sample> points = new ArrayList<>(List.of(new Sample(0, 0)));
    for (int bin = 1; bin <= bins; bin++) {
      double end = bin * binSeconds;
      points.add(new Sample(end, rate(0, end) * end / jobs()));
    }
    return points;
  }
}
