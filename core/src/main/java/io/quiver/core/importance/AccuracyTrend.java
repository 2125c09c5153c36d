package io.quiver.core.importance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Tells when accuracy falls, so that sampling by importance ends where it hurts: the one-sided test
 * of Mann and Kendall on the latest six accuracies, at a level of 0.8 %. They fall if at least 14
 * of their 15 pairs do. Percent, shares and scores of any kind do, as long as more is better.
 */
public final class AccuracyTrend {
  /** The number of latest accuracies that are looked at. */
  static final int REPORTS = 6;

  private static final int MOST_RISES = 1;

  private final Deque<Double> latest = new ArrayDeque<>();

  /** Notes an accuracy; one that is no finite number changes nothing. */
  public void report(double accuracy) {
    if (Double.isFinite(accuracy)) {
      latest.add(accuracy);
      if (latest.size() > REPORTS) {
        latest.remove();
      }
    }
  }

  /** Returns true if the latest accuracies fall. */
  public boolean falls() {
    List<Double> values = new ArrayList<>(latest);
    int rises = 0;
    for (int later = 1; later < values.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        rises += values.get(later) < values.get(earlier) ? 0 : 1;
      }
    }
    return values.size() == REPORTS && rises <= MOST_RISES;
  }
}
