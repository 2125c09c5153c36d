package io.quiver.simulator.shade;

import io.quiver.simulator.shade.SampleTrace.Sampling;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The traces of a study, each made once, when it is asked for first. */
final class Traces {
  private record Key(Sampling sampling, int capacity) {}

  private final SampleTrace.Size size;
  private final GeneratedSamples.Kind kind;
  private final Map<Key, SampleTrace> made = new ConcurrentHashMap<>();

  Traces(SampleTrace.Size size, GeneratedSamples.Kind kind) {
    this.size = size;
    this.kind = kind;
  }

  SampleTrace.Size size() {
    return size;
  }

  /** Returns the samples that the cache holds at a share of the data set. */
  int capacity(double fraction) {
    return (int) (fraction * size.items());
  }

  /** Returns the trace of a sampling, with a cache of this size where draws depend on it. */
  SampleTrace get(Sampling sampling, double fraction) {
    int capacity = sampling == Sampling.CACHED_THRICE ? capacity(fraction) : 0;
    return made.computeIfAbsent(
        new Key(sampling, capacity), key -> SampleTrace.of(size, sampling, kind, capacity));
  }

  /** Replays a way of keeping; returns the misses of each batch. */
  int[] misses(Sampling sampling, Keeping keeping, double fraction) {
    SampleTrace trace = get(sampling, fraction);
    return keeping.replay(trace, capacity(fraction)).misses(trace);
  }

  /** Returns the share of all reads that the cache answers. */
  double hitRatio(Sampling sampling, Keeping keeping, double fraction) {
    long missed = 0;
    for (int misses : misses(sampling, keeping, fraction)) {
      missed += misses;
    }
    return 1 - (double) missed / ((long) size.items() * size.epochs());
  }
}
