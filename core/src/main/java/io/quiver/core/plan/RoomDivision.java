package io.quiver.core.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Divides the room of the cluster among data sets: equal shares, and what one does not need goes to
 * the others.
 */
final class RoomDivision {
  private RoomDivision() {}

  /**
   * Each data set's bytes.
   *
   * @param wanted how long each data set is
   */
  static Map<DatasetKey, Long> divide(Map<DatasetKey, Long> wanted, long room) {
    List<Map.Entry<DatasetKey, Long>> smallestFirst = new ArrayList<>(wanted.entrySet());
    smallestFirst.sort(
        Map.Entry.<DatasetKey, Long>comparingByValue()
            .thenComparing(Map.Entry::getKey, Comparator.naturalOrder()));
    Map<DatasetKey, Long> shares = new TreeMap<>();
    long left = Math.max(room, 0);
    int waiting = smallestFirst.size();
    for (Map.Entry<DatasetKey, Long> entry : smallestFirst) {
      long share = Math.min(entry.getValue(), left / waiting--);
      shares.put(entry.getKey(), share);
      left -= share;
    }
    return shares;
  }
}
