package io.quiver.core.plan.allocate;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the best division of the budget among a few tenants: one table for each, of what a number
 * of units of the budget can save with it and those before it. Taking the best steps first misses a
 * sixth of that at times, where a large step does not fit and smaller ones would have.
 */
final class ExactDivision {
  /** Most tenants for which the tables take next to no time. */
  static final int MOST_TENANTS = 8;

  private static final int UNITS = 256;

  private final List<Demand> demands;
  private final AllocationValue worth;
  private final long unit;
  private final int units;

  private ExactDivision(List<Demand> demands, AllocationValue worth, long bytes) {
    this.demands = demands;
    this.worth = worth;
    this.unit = Math.max(1, bytes / UNITS);
    this.units = (int) Math.min(UNITS, bytes / unit);
  }

  /** Returns the best division, up to a 256th of the budget for each tenant. */
  static long[] of(List<Demand> demands, AllocationValue worth, long bytes) {
    return new ExactDivision(demands, worth, bytes).divide();
  }

  private long[] divide() {
    int[][] chosen = new int[demands.size()][];
    double[] saved = new double[units + 1];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = new int[units + 1];
      saved = with(i, saved, chosen[i]);
    }
    long[] shares = new long[chosen.length];
    int left = units;
    for (int i = chosen.length - 1; i >= 0; i--) {
      shares[i] = bytes(i, chosen[i][left]);
      left -= cost(shares[i]);
    }
    return shares;
  }

  /** Returns what each number of units saves when a tenant has its best part of them. */
  private double[] with(int tenant, double[] before, int[] chosen) {
    double[] saved = new double[units + 1];
    Arrays.fill(saved, Double.NEGATIVE_INFINITY);
    int most = demands.get(tenant).mostSteps();
    for (int held = 0; held <= most; held++) {
      int cost = cost(bytes(tenant, held));
      double own = worth.of(tenant, held);
      for (int given = cost; given <= units; given++) {
        if (before[given - cost] + own > saved[given]) {
          saved[given] = before[given - cost] + own;
          chosen[given] = held;
        }
      }
    }
    return saved;
  }

  private long bytes(int tenant, int held) {
    Demand demand = demands.get(tenant);
    return Math.max(demand.least(), demand.bytes(held));
  }

  private int cost(long bytes) {
    return (int) Math.min(units + 1L, Math.ceilDiv(bytes, unit));
  }
}
