package io.quiver.core.plan.chunk;

import java.util.List;
import java.util.OptionalInt;

/** Counts for each chunk the jobs that have yet to read it and the items left, once for a plan. */
final class ChunkNeeds {
  private final int[] wanted;
  private final long[] items;

  private ChunkNeeds(int chunks) {
    this.wanted = new int[chunks];
    this.items = new long[chunks];
  }

  static ChunkNeeds of(DatasetState state, List<RingReader> readers) {
    ChunkNeeds needs = new ChunkNeeds(state.chunks());
    readers.forEach(reader -> needs.add(state, reader));
    return needs;
  }

  /** A job wants a chunk when it sets the pace and has most of it yet to read. */
  private void add(DatasetState state, RingReader reader) {
    boolean sets = reader.mayLease();
    long half = state.items() / (2L * state.chunks());
    ChunkCounts counts = reader.remaining(state);
    for (int chunk = 0; chunk < items.length; chunk++) {
      int remaining = counts.of(chunk);
      items[chunk] += remaining;
      wanted[chunk] += sets && remaining > half ? 1 : 0;
    }
  }

  /** Returns how many items all jobs have yet to read of a chunk. */
  long items(int chunk) {
    return items[chunk];
  }

  /** Returns the chunk most jobs want that set the pace, the first among equals. */
  OptionalInt mostWanted(int[] among) {
    OptionalInt best = OptionalInt.empty();
    int most = 0;
    for (int chunk : among) {
      if (wanted[chunk] > most) {
        most = wanted[chunk];
        best = OptionalInt.of(chunk);
      }
    }
    return best;
  }
}
