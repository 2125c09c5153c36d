package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Equal shares, and what one does not need goes to the others: what is fair while nothing has been
 * measured. Where some must have more than that, the others are equal in what is left.
 */
public final class EqualAllocation implements AllocationPolicy {
  @Override
  public long[] divide(List<Demand> demands, CacheBudget budget, long[] before) {
    return level(withinQuotas(demands, budget.quotas()), budget.bytes());
  }

  /** Divides so that nobody's data sets together have more than their payer may. */
  private static List<Demand> withinQuotas(List<Demand> demands, Map<String, Long> quotas) {
    if (quotas.isEmpty()) {
      return demands;
    }
    Map<String, List<Integer>> paid = new HashMap<>();
    for (int i = 0; i < demands.size(); i++) {
      paid.computeIfAbsent(demands.get(i).payer(), payer -> new ArrayList<>()).add(i);
    }
    List<Demand> bound = new ArrayList<>(demands);
    quotas.forEach((payer, quota) -> {
      List<Integer> own = paid.getOrDefault(payer, List.of());
      long[] most = level(own.stream().map(demands::get).toList(), quota);
      for (int i = 0; i < most.length; i++) {
        Demand demand = demands.get(own.get(i));
        bound.set(own.get(i), demand.within(demand.floor(), most[i]));
      }
    });
    return bound;
  }

  /** Fills all to the same level, but none above what it can use or below what it must have. */
  private static long[] level(List<Demand> demands, long budget) {
    long low = 0;
    long high = demands.stream().mapToLong(Demand::most).max().orElse(0);
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (sum(demands, middle, budget) <= budget) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long[] shares = new long[demands.size()];
    long left = budget;
    for (int i = 0; i < shares.length; i++) {
      shares[i] = Math.min(left, share(demands.get(i), low));
      left -= shares[i];
    }
    return shares;
  }

  private static long share(Demand demand, long level) {
    return Math.clamp(level, demand.least(), demand.most());
  }

  /** Returns the bytes needed at this level, or more than the budget once they exceed it. */
  private static long sum(List<Demand> demands, long level, long budget) {
    long sum = 0;
    for (Demand demand : demands) {
      sum += share(demand, level);
      if (sum > budget) {
        return Long.MAX_VALUE;
      }
    }
    return sum;
  }
}
