package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import java.util.Arrays;
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

  /** Returns the counts of several servers together. */
  public static KeeperCounts sum(List<KeeperCounts> servers) {
    long used = 0;
    double misses = 0;
    double[] hits = new double[MOST_PARTS];
    int parts = 0;
    for (KeeperCounts each : servers) {
      used = Math.min(Bounds.MAX_CLUSTER_BYTES, used + each.usedBytes);
      misses = Math.min(Bounds.MAX_COUNT, misses + each.misses);
      parts = Math.max(parts, each.ghostHits.size());
      for (int part = 0; part < each.ghostHits.size(); part++) {
        hits[part] = Math.min(Bounds.MAX_COUNT, hits[part] + each.ghostHits.get(part));
      }
    }
    return new KeeperCounts(used, misses, Arrays.stream(hits, 0, parts).boxed().toList());
  }
}
