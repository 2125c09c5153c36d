package io.quiver.simulator.shade;

/** A cache that samples pass through one by one; told of scores when a batch is learned. */
interface Replay {
  /** Reads a sample; returns true if the cache had it. */
  boolean read(int item, int epoch, int place);

  /** Notes a sample's latest score. */
  default void learned(int item, int score) {}

  /** Lets a trace through; returns how many samples of each batch the cache did not have. */
  default int[] misses(SampleTrace trace) {
    SampleTrace.Size size = trace.size();
    int[] misses = new int[size.epochs() * size.batches()];
    for (int batch = 0; batch < misses.length; batch++) {
      int epoch = batch / size.batches();
      int[] entries = trace.entries(epoch);
      int from = batch % size.batches() * size.batch();
      int end = Math.min(entries.length, from + size.batch());
      for (int place = from; place < end; place++) {
        misses[batch] += read(entries[place], epoch, place) ? 0 : 1;
      }
      for (int place = from; place < end; place++) {
        learned(entries[place], trace.learned(epoch)[place]);
      }
    }
    return misses;
  }
}
