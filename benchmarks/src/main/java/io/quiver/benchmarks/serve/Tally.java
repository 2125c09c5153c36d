package io.quiver.benchmarks.serve;

import io.quiver.benchmarks.load.LoadResult;
import java.util.ArrayList;
import java.util.List;

/** Collects the slices of one peer on one workload. */
final class Tally {
  private final List<LoadResult> slices = new ArrayList<>();

  void add(LoadResult slice) {
    slices.add(slice);
  }

  boolean isEmpty() {
    return slices.isEmpty();
  }

  /** The median slice's speed; processor time over all slices, whose clock is coarse. */
  PeerSpeed speed() {
    double[] speeds =
        slices.stream().mapToDouble(LoadResult::gigabytesPerSecond).sorted().toArray();
    int middle = speeds.length / 2;
    double median =
        speeds.length % 2 == 1 ? speeds[middle] : (speeds[middle - 1] + speeds[middle]) / 2;
    double gigabytes = slices.stream().mapToDouble(LoadResult::gigabytes).sum();
    return new PeerSpeed(
        median,
        slices.stream().mapToDouble(LoadResult::serverCpuSeconds).sum() / gigabytes,
        slices.stream().mapToDouble(LoadResult::clientCpuSeconds).sum() / gigabytes);
  }
}
