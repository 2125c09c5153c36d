package io.quiver.core.plan.allocate;

import java.util.List;

/** What divisions of the budget are worth, and whether another is worth moving chunks for. */
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

  /** GPUs saved by so many chunks of a data set. */
  double of(int dataset, int held) {
    return saved[dataset][held];
  }

  /** The same for every number of chunks. */
  double[] of(int dataset) {
    return saved[dataset];
  }

  /** GPUs saved altogether. */
  double of(long[] shares) {
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += saved[i][demands.get(i).steps(shares[i])];
    }
    return sum;
  }

  /** The better one of two divisions, the first among equals. */
  long[] better(long[] one, long[] other) {
    return of(other) > of(one) ? other : one;
  }

  /** What there is, as long as it is allowed and nothing is clearly better. */
  long[] settle(long[] kept, long[] best, CacheBudget budget) {
    boolean allowed = BudgetLedger.fits(demands, kept, budget);
    return allowed && of(best) < CLEARLY * of(kept) ? kept : best;
  }

  /** What of a share may stay: within its bounds, and none for jobs that gain nothing. */
  static long allowed(Demand demand, long share) {
    return Math.clamp(demand.gains() ? share : 0, demand.least(), demand.most());
  }

  /** What must be given whatever it is worth. */
  static long[] floors(List<Demand> demands, BudgetLedger ledger) {
    long[] shares = new long[demands.size()];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = Math.max(0, Math.min(demands.get(i).least(), ledger.left(demands.get(i))));
      ledger.take(demands.get(i), shares[i]);
    }
    return shares;
  }
}
