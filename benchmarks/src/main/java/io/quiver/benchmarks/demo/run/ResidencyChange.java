package io.quiver.benchmarks.demo.run;

import io.quiver.core.plan.chunk.ChunkEntry;
import java.util.List;

/**
 * The contents of the cache from a moment on, until the next change.
 *
 * @param seconds when, since the run began
 * @param chunks how many chunks the data set is divided into
 * @param held those in the cache or on their way
 */
public record ResidencyChange(double seconds, int chunks, List<ChunkEntry> held) {
  /** Keeps its own copy. */
  public ResidencyChange {
    held = List.copyOf(held);
  }
}
