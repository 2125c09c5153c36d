package io.quiver.core.stream.pattern;

import io.quiver.core.stream.StreamWindow;
import java.util.Arrays;
import java.util.List;

/**
 * Puts the reads of several windows into the order of their ages. The order within each window
 * stays. Reads of one age come in turn, one of each window, in the order of the windows: an order
 * by items would make runs where there are none. Readers of different windows are told apart.
 */
final class WindowMerge {
  private WindowMerge() {}

  /** Returns the reads of all windows, which number items alike. */
  static StreamWindow of(List<StreamWindow> windows) {
    int size = 0;
    int longest = 0;
    for (StreamWindow window : windows) {
      size += window.size();
      longest = Math.max(longest, window.size());
    }
    int[] items = new int[size];
    int[] who = new int[size];
    int[] when = new int[size];
    long[] keys = new long[size];
    int[] youngest = new int[windows.size()];
    Arrays.fill(youngest, Integer.MAX_VALUE);
    int[][] known = new int[windows.size()][];
    int[] before = new int[windows.size()];
    for (int each = 0; each < known.length; each++) {
      known[each] = Arrays.stream(windows.get(each).readers()).sorted().distinct().toArray();
      before[each] = each == 0 ? 0 : before[each - 1] + known[each - 1].length;
    }
    int count = 0;
    for (int turn = 0; turn < longest; turn++) {
      for (int each = 0; each < known.length; each++) {
        StreamWindow window = windows.get(each);
        if (turn < window.size()) {
          youngest[each] = Math.clamp(window.agesMillis()[turn], 0, youngest[each]);
          items[count] = window.indices()[turn];
          who[count] = before[each] + Arrays.binarySearch(known[each], window.readers()[turn]);
          when[count] = window.agesMillis()[turn];
          keys[count] = ((long) Integer.MAX_VALUE - youngest[each]) << 32 | count;
          count++;
        }
      }
    }
    Arrays.sort(keys);
    StreamWindow first = windows.getFirst();
    return new StreamWindow(
        first.indexing(),
        first.population(),
        picked(items, keys),
        picked(who, keys),
        picked(when, keys));
  }

  private static int[] picked(int[] values, long[] keys) {
    int[] picked = new int[keys.length];
    for (int at = 0; at < keys.length; at++) {
      picked[at] = values[(int) keys[at]];
    }
    return picked;
  }
}
