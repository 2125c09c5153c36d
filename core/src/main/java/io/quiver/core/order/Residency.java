package io.quiver.core.order;

import java.util.List;

/**
 * The chunks of a data set that a job may expect in the cache, by the latest plan. A hint, never a
 * promise: what is missing after all is put back or read from the store.
 *
 * @param pinned chunks that stay across epochs
 * @param window chunks that rotate, the one that leaves first in front
 * @param loading chunks that are being brought in, the one that is needed first in front
 * @param ring whether all other chunks come into the cache in time, too; if not, what is not here
 *     has to be fetched
 */
public record Residency(
    List<Integer> pinned, List<Integer> window, List<Integer> loading, boolean ring) {
  /** The residency of an empty cache. */
  public static final Residency NONE = new Residency(List.of(), List.of(), List.of());

  /** Keeps its own copies; a chunk may be listed once only. */
  public Residency {
    pinned = List.copyOf(pinned);
    window = List.copyOf(window);
    loading = List.copyOf(loading);
    long distinct =
        java.util.stream.Stream.of(pinned, window, loading)
            .flatMap(List::stream)
            .distinct()
            .count();
    if (distinct != pinned.size() + window.size() + loading.size()) {
      throw new IllegalArgumentException(
          "a chunk is listed twice: pinned "
              + pinned
              + ", window "
              + window
              + ", loading "
              + loading);
    }
  }

  /** Lists the chunks of a cache through which all others rotate. */
  public Residency(List<Integer> pinned, List<Integer> window, List<Integer> loading) {
    this(pinned, window, loading, true);
  }
}
