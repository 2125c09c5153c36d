package io.quiver.client.loader;

import io.quiver.core.importance.ImportanceEpoch;
import io.quiver.core.order.Draw;
import java.util.HashMap;
import java.util.Map;

/**
 * A batch of a list that was drawn by importance: the places it takes and what follows for each.
 */
final class ListedBatch {
  private final ImportanceEpoch epoch;
  private final int[] places;
  private final Map<Integer, Long> priorities = new HashMap<>();

  /**
   * Looks up the priorities of a draw's items. Of an item that stands in the batch twice, the later
   * place tells the next use.
   *
   * @param places of all items that the draw fetches, but for padding
   */
  ListedBatch(ImportanceEpoch epoch, int[] places, Draw draw) {
    this.epoch = epoch;
    this.places = places;
    for (int i = 0; i < places.length; i++) {
      priorities.put(draw.fetch()[i], epoch.priority(places[i]));
    }
  }

  ImportanceEpoch epoch() {
    return epoch;
  }

  int[] places() {
    return places;
  }

  /** Returns the priority of an item once the batch is read; padding has none. */
  long priority(int item) {
    return priorities.getOrDefault(item, 0L);
  }

  /**
   * Returns the least priority that is worth an insert. The best of the batch always is: its
   * receipt tells what is kept now, which may be less than before, as after the loss of a server.
   *
   * @param lowest the lowest priority that the space kept when it was last heard of
   */
  long leastWorth(long lowest) {
    long best = priorities.values().stream().mapToLong(each -> each).max().orElse(0);
    return Math.min(lowest, best);
  }

  /** Returns true if the cache has to be told an item's priority: padding leaves it as it is. */
  boolean ranks(int item) {
    return priorities.containsKey(item);
  }

  /** Returns the position of the batch, counted from the job's first epoch on. */
  long position() {
    return places.length == 0 ? 0 : epoch.position(places[0]);
  }
}
