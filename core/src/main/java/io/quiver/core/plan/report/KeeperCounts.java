package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts of the keeper of one space on one server, old ones less and less. They tell what a
 * larger quota would have hit.
 *
 * @param usedBytes bytes of the blobs it keeps
 * @param misses reads of blobs that it did not keep
 * @param ghostHits misses that a larger quota would have made hits: entry k counts those that need
 *     between k and k + 1 eighths of the quota more; empty for keepers without ghosts
 */
public record KeeperCounts(long usedBytes, double misses, List<Double> ghostHits) {
  /** Nothing is kept, and nothing was missed. */
  public static final KeeperCounts NOTHING = new KeeperCounts(0, 0, List.of());

  /** Most entries of ghost hits. */
  public static final int MOST_PARTS = 8;

  /** Keeps its own copy and refuses what cannot be. */
  public KeeperCounts {
    Bounds.whole("used_bytes", usedBytes, 0, Bounds.MAX_CLUSTER_BYTES);
    Bounds.number("misses", misses, 0, Bounds.MAX_COUNT);
    ghostHits = Bounds.list("ghost_hits", ghostHits, MOST_PARTS);
    for (double hits : ghostHits) {
      Bounds.number("a value in ghost_hits", hits, 0, Bounds.MAX_COUNT);
    }
  }

  /** Returns the counts of two servers together. */
  public KeeperCounts plus(KeeperCounts other) {
    List<Double> sums = new ArrayList<>();
    for (int i = 0; i < Math.max(ghostHits.size(), other.ghostHits.size()); i++) {
      sums.add(at(ghostHits, i) + at(other.ghostHits, i));
    }
    return new KeeperCounts(usedBytes + other.usedBytes, misses + other.misses, sums);
  }

  private static double at(List<Double> values, int place) {
    return place < values.size() ? values.get(place) : 0;
  }
}
