package io.quiver.core.plan.stream;

import io.quiver.core.plan.allocate.UnreadCurve;
import io.quiver.core.plan.report.KeeperCounts;

/**
 * Makes the curve of a skewed stream: the share of its reads that would still go to the store with
 * each number of bytes.
 *
 * <p>One point is measured: what is held now, and the share of reads that went to the store with
 * it. Ghosts tell the points up to twice as many bytes. Below and beyond these the share of hits is
 * taken to grow as a power of the bytes, with the exponent that the nearest measured points have.
 */
final class StreamCurves {
  /** Reads are counted for a curve to this precision. */
  private static final long READS = 1_000_000;

  /** Fewer misses than these tell nothing about larger quotas. */
  private static final double LEAST_MISSES = 50;

  /** The most skewed reads that a curve assumes; uniform ones have the exponent 1. */
  private static final double LEAST_EXPONENT = 0.1;

  private static final double MOST_EXPONENT = 1;

  /** While ghosts tell nothing, a quarter of the bytes gives half of the hits. */
  private static final double USUAL_EXPONENT = 0.5;

  private StreamCurves() {}

  /**
   * Returns the curve of a skewed stream.
   *
   * @param steps steps of all its bytes
   * @param bytes how long all its data is
   * @param storeShare the share of its reads that went to the store
   * @param counts the counts of its keepers on all servers
   */
  static UnreadCurve skewed(int steps, long bytes, double storeShare, KeeperCounts counts) {
    double held = (double) counts.usedBytes() / Math.max(1, bytes);
    double hit = 1 - storeShare;
    if (held < 1.0 / (4 * steps) || held >= 1 || hit <= 0) {
      return UnreadCurve.random(steps);
    }
    double[] shares = measured(hit, counts);
    long[] hits = new long[steps + 1];
    for (int step = 1; step <= steps; step++) {
      hits[step] = Math.round(READS * at((double) step / steps, held, shares));
    }
    return UnreadCurve.skewed(hits, READS);
  }

  /** Returns the share of hits with the bytes held, and with each eighth of them more. */
  private static double[] measured(double hit, KeeperCounts counts) {
    int parts = counts.misses() < LEAST_MISSES ? 0 : counts.ghostHits().size();
    double[] shares = new double[parts + 1];
    shares[0] = hit;
    for (int part = 0; part < parts; part++) {
      double won = (1 - hit) * counts.ghostHits().get(part) / counts.misses();
      double most = Math.min(1, hit * (1 + (part + 1) / 8.0)); // no more than random reads would
      shares[part + 1] = Math.clamp(shares[part] + won, shares[part], Math.max(shares[part], most));
    }
    return shares;
  }

  private static double at(double part, double held, double[] shares) {
    double eighths = (part / held - 1) * KeeperCounts.MOST_PARTS;
    int last = shares.length - 1;
    if (eighths <= 0) {
      return shares[0] * Math.pow(part / held, exponent(shares));
    }
    if (eighths >= last) {
      double reach = held * (1 + (double) last / KeeperCounts.MOST_PARTS);
      return Math.min(1, shares[last] * Math.pow(part / reach, exponent(shares)));
    }
    int below = (int) eighths;
    return shares[below] + (eighths - below) * (shares[below + 1] - shares[below]);
  }

  /** Returns the exponent of the power by which hits grow with bytes, as far as ghosts tell. */
  private static double exponent(double[] shares) {
    int last = shares.length - 1;
    double exponent =
        last == 0
            ? USUAL_EXPONENT
            : Math.log(shares[last] / shares[0])
                / Math.log1p((double) last / KeeperCounts.MOST_PARTS);
    return Math.clamp(exponent, LEAST_EXPONENT, MOST_EXPONENT);
  }
}
