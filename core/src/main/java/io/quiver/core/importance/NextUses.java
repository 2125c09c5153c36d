package io.quiver.core.importance;

import io.quiver.core.keep.Ranked;
import io.quiver.core.order.ItemList;
import java.util.Arrays;

/**
 * Tells when the item of each entry of a list is used next: in this list or in the one that
 * follows, which is drawn before this one begins. A cache that evicts the latest next use reads
 * least from the store.
 */
public final class NextUses {
  private static final int NEVER = Integer.MAX_VALUE;

  private final long base;
  private final int[] next;

  private NextUses(long base, int[] next) {
    this.base = base;
    this.next = next;
  }

  /**
   * Looks ahead from every entry of a list.
   *
   * @param base how many entries the lists before this one had together
   */
  public static NextUses of(long base, ItemList list, ItemList following) {
    int[] upcoming = new int[list.items()];
    Arrays.fill(upcoming, NEVER);
    for (int place = following.size() - 1; place >= 0; place--) {
      upcoming[following.at(place)] = list.size() + place;
    }
    int[] next = new int[list.size()];
    for (int place = list.size() - 1; place >= 0; place--) {
      next[place] = upcoming[list.at(place)];
      upcoming[list.at(place)] = place;
    }
    return new NextUses(base, next);
  }

  /**
   * Returns the position of the next use of the item of an entry, counted over all lists; -1 if
   * there is none.
   */
  public long position(int place) {
    return next[place] == NEVER ? -1 : base + next[place];
  }

  /**
   * Returns the priority of the item of an entry once the entry is read: the sooner its next use,
   * the higher. {@link Ranked#UNKNOWN} if there is none.
   */
  public long priority(int place) {
    return next[place] == NEVER ? Ranked.UNKNOWN : -(base + next[place]);
  }
}
