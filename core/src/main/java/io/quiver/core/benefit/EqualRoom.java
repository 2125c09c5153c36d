package io.quiver.core.benefit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Equal shares, and what one does not need goes to the others: what is fair while nothing has been
 * measured.
 */
public final class EqualRoom implements RoomPolicy {
  @Override
  public long[] divide(List<DatasetDemand> demands, long room, long[] before) {
    List<Integer> smallestFirst = new ArrayList<>();
    for (int i = 0; i < demands.size(); i++) {
      smallestFirst.add(i);
    }
    smallestFirst.sort(Comparator.comparingLong(i -> wanted(demands.get(i))));
    long[] shares = new long[demands.size()];
    long left = Math.max(room, 0);
    int waiting = demands.size();
    for (int i : smallestFirst) {
      shares[i] = Math.min(wanted(demands.get(i)), left / waiting--);
      left -= shares[i];
    }
    return shares;
  }

  private static long wanted(DatasetDemand demand) {
    return Math.min(demand.bytes(), demand.limit());
  }
}
