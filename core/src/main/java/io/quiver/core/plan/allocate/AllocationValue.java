package io.quiver.core.plan.allocate;

import java.util.List;

/** Values divisions of the budget, and decides whether another is worth moving chunks for. */
final class AllocationValue {
  /** Another division must save this many times as much before anything is moved for it. */
  private static final double CLEARLY = 1.05;

  private final List<Demand> demands;
  private final double[][] saved;

  AllocationValue(List<Demand> demands) {
    this.demands = demands;
    this.saved = new double[demands.size()][];
    for (int i = 0; i < saved.length; i++) {
      saved[i] = demands.get(i).gpusSaved();
    }
  }

  /** Returns the GPUs saved by so many chunks of a data set. */
  double of(int dataset, int held) {
    return saved[dataset][held];
  }

  /** Returns the GPUs saved by every number of chunks of a data set. */
  double[] of(int dataset) {
    return saved[dataset];
  }

  /** Returns the GPUs saved altogether. */
  double of(long[] shares) {
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += saved[i][demands.get(i).steps(shares[i])];
    }
    return sum;
  }

  /** Returns the better one of two divisions, the first among equals. */
  long[] better(long[] one, long[] other) {
    return of(other) > of(one) ? other : one;
  }

  /** Returns the present division as long as it is allowed and the other is not clearly better. */
  long[] settle(long[] kept, long[] best, CacheBudget budget) {
    boolean allowed = BudgetLedger.fits(demands, kept, budget);
    return allowed && of(best) < CLEARLY * of(kept) ? kept : best;
  }

  /**
   * Returns the present division as long as it is allowed, and the other is neither clearly better
   * nor as good with data sets whole that are clearly worth more.
   */
  long[] settleWhole(long[] kept, long[] best, CacheBudget budget) {
    boolean more = of(best) >= of(kept) && ofWhole(best) > CLEARLY * ofWhole(kept);
    return more ? best : settle(kept, best, budget);
  }

  /** Returns the GPUs saved by the data sets that are whole. */
  private double ofWhole(long[] shares) {
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      int steps = demands.get(i).steps();
      sum += demands.get(i).steps(shares[i]) == steps ? saved[i][steps] : 0;
    }
    return sum;
  }

  /** Returns the part of a share that may stay: within its bounds, none if no job gains. */
  static long allowed(Demand demand, long share) {
    return Math.clamp(demand.gains() ? share : 0, demand.least(), demand.most());
  }

  /** Returns the bytes that must be given whatever they are worth. */
  static long[] floors(List<Demand> demands, BudgetLedger ledger) {
    long[] shares = new long[demands.size()];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = Math.max(0, Math.min(demands.get(i).least(), ledger.left(demands.get(i))));
      ledger.take(demands.get(i), shares[i]);
    }
    return shares;
  }
}
