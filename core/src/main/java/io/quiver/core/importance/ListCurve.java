package io.quiver.core.importance;

import io.quiver.core.keep.Ranked;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededPermutation;
import io.quiver.core.order.SeededRandom;
import java.util.Arrays;
import java.util.List;

/**
 * Works out which share of a list's reads go to the store with each sixteenth of the data set
 * cached, for a cache that evicts the latest next use. It replays the list for each size, on a
 * sample of the items where there are many: a cache that keeps a tenth of a random tenth of the
 * items hits as often as one that keeps a tenth of all.
 */
public final class ListCurve {
  /** Number of steps that make up the whole data set. */
  public static final int STEPS = 16;

  /** Most items that are replayed. */
  static final int MOST_ITEMS = 4096;

  /** The next use of an item that has none, but for its number. */
  private static final long NEVER = 1L << 40;

  private static final long SAMPLE_SEED = 0x5DEECE66DL;

  private ListCurve() {}

  /**
   * Returns the shares for 0 to {@link #STEPS} steps; none is larger than the one before.
   *
   * @param list the list
   * @param last the list that was read before it. What came before both and what follows is like
   *     them, with other items
   */
  public static double[] of(ItemList list, ItemList last) {
    int[] sample = sampled(list, last);
    ItemList before = only(last, sample);
    ItemList now = only(list, sample);
    List<ItemList> lists =
        List.of(renamed(now, 1), renamed(before, 2), before, now, renamed(before, 3));
    double[] unread = new double[STEPS + 1];
    Arrays.fill(unread, 1);
    for (int held = 1; held < STEPS && now.size() > 0; held++) {
      Ranked cache = new Ranked(Math.round((double) now.items() * held / STEPS));
      int hits = 0;
      long base = 0;
      for (int i = 0; i + 1 < lists.size(); i++) {
        hits = replay(cache, lists.get(i), NextUses.of(base, lists.get(i), lists.get(i + 1)));
        base += lists.get(i).size();
      }
      unread[held] = Math.min(unread[held - 1], 1 - (double) hits / now.size());
    }
    unread[STEPS] = 0;
    return unread;
  }

  /** Returns a list of other items with the same repeats: a stand-in for one that is not known. */
  private static ItemList renamed(ItemList list, int part) {
    long seed = SeededRandom.derive(SAMPLE_SEED, part);
    SeededPermutation names = new SeededPermutation(list.items(), seed);
    return new ItemList(list.items(), Arrays.stream(list.entries()).map(names::at).toArray());
  }

  /** Reads a list; returns how many reads were hits. */
  private static int replay(Ranked cache, ItemList list, NextUses uses) {
    int hits = 0;
    for (int place = 0; place < list.size(); place++) {
      int item = list.at(place);
      long position = uses.position(place);
      if (cache.holds(item)) {
        hits++;
        cache.rank(item, position < 0 ? -NEVER - item : -position);
      } else if (position >= 0) {
        cache.offer(item, 1, -position, victim -> {});
      }
    }
    return hits;
  }

  /** Returns the new number of each item, or -1 for those left out. */
  private static int[] sampled(ItemList list, ItemList last) {
    int items = Math.max(list.items(), last.items());
    int shift = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros((items - 1) / MOST_ITEMS));
    int[] numbers = new int[items];
    int count = 0;
    for (int item = 0; item < items; item++) {
      boolean taken = SeededRandom.derive(SAMPLE_SEED, item) >>> (Long.SIZE - shift - 1) >>> 1 == 0;
      numbers[item] = taken ? count++ : -1;
    }
    return numbers;
  }

  private static ItemList only(ItemList list, int[] numbers) {
    int items = (int) Arrays.stream(numbers).filter(number -> number >= 0).count();
    int[] entries =
        Arrays.stream(list.entries())
            .map(item -> numbers[item])
            .filter(number -> number >= 0)
            .toArray();
    return new ItemList(items, entries);
  }
}
