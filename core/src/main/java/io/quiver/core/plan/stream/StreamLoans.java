package io.quiver.core.plan.stream;

import io.quiver.core.keep.KeeperKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Lends bytes that random streams have been given and do not fill yet.
 *
 * <p>A random stream fills its quota as fast as the store sends its data, which takes an epoch or
 * more. Until then the rest of the quota would stand empty, while skewed streams evict what they
 * read again soon. So these have it meanwhile, and give it back as it is filled: every plan leaves
 * the owner more room than it can fill before the next one. A loan costs no read of the store,
 * since a skewed stream only keeps what its programs have read anyway. For this reason random
 * streams borrow nothing: they would read ahead what is evicted soon.
 */
final class StreamLoans {
  /** An owner has room for half as much again as it holds, and for at least this part of all. */
  private static final int ROOM_PART = 16;

  /** Room grows in such parts of the capacity, so that few plans differ. */
  private static final int STEP_PART = 64;

  private final SortedMap<String, StreamOrder> orders;
  private final long capacity;

  private record Borrower(StreamOrder order, long wanted) {}

  /**
   * Makes loans among these streams.
   *
   * @param orders what each has been given
   * @param capacity the bytes that are divided
   */
  StreamLoans(SortedMap<String, StreamOrder> orders, long capacity) {
    this.orders = orders;
    this.capacity = capacity;
  }

  /**
   * Changes the room of streams; all of them together take as many bytes on disk as before.
   *
   * @param held the bytes that servers hold of each stream
   * @param usable the bytes on disk that each stream who may borrow could use
   */
  void lend(Map<String, Long> held, Map<String, Long> usable) {
    List<Borrower> borrowers = borrowers(usable);
    if (!borrowers.isEmpty()) {
      long empty = 0;
      for (StreamOrder each : orders.values()) {
        empty += empty(each, held.getOrDefault(each.key(), 0L));
      }
      take(held, give(borrowers, empty));
    }
  }

  private List<Borrower> borrowers(Map<String, Long> usable) {
    List<Borrower> borrowers = new ArrayList<>();
    usable.forEach((key, most) -> {
      StreamOrder order = orders.get(key);
      if (order != null && order.keeper() == KeeperKind.FIFO3 && order.quotaBytes() > 0) {
        borrowers.add(new Borrower(order, Math.max(0, most - order.diskBytes())));
      }
    });
    borrowers.sort(
        Comparator.comparingLong(Borrower::wanted).thenComparing(each -> each.order.key()));
    return borrowers;
  }

  /** Returns the bytes that a stream has been given and will not fill before the next plan. */
  private long empty(StreamOrder order, long held) {
    if (order.keeper() != KeeperKind.UNIFORM) {
      return 0;
    }
    long step = Math.max(1, capacity / STEP_PART);
    long room = held + Math.max(held / 2, capacity / ROOM_PART);
    return Math.max(0, order.quotaBytes() - (room + step - 1) / step * step);
  }

  /** Divides bytes equally, but nobody gets more than it can use; returns those that are lent. */
  private long give(List<Borrower> borrowers, long empty) {
    long left = empty;
    int others = borrowers.size();
    for (Borrower each : borrowers) {
      long lent = StreamTenants.even(Math.min(each.wanted, left / others--), capacity);
      long disk = each.order.diskBytes() + lent;
      long room = lent == 0 ? each.order.quotaBytes() : StreamOrder.kept(KeeperKind.FIFO3, disk);
      orders.put(each.order.key(), each.order.withRoom(room));
      left -= lent;
    }
    return empty - left;
  }

  /** Takes the bytes that are lent from those who do not fill them. */
  private void take(Map<String, Long> held, long lent) {
    long left = lent;
    for (StreamOrder each : List.copyOf(orders.values())) {
      long taken = Math.min(left, empty(each, held.getOrDefault(each.key(), 0L)));
      if (taken > 0) {
        orders.put(each.key(), each.withRoom(each.quotaBytes() - taken));
        left -= taken;
      }
    }
  }
}
