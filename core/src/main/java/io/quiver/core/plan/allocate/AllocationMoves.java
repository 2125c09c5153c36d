package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds how many bytes change hands in a minute: 640 MB or a hundredth of the capacity, whichever
 * is more. Loading what was moved costs reads of the store, so the moves that save most for a byte
 * come first. Only bytes that save their tenant GPU time count: free bytes, bytes that nobody had a
 * better use for, trials, a tenant's first share by measured worth and what somebody pins by hand
 * are given at once. Otherwise jobs that start together would wait an hour for those that happened
 * to be measured first.
 *
 * @param settled the bytes each measured tenant has for what they are worth
 * @param granted all the bytes each tenant has
 * @param allowance how many bytes may move now
 * @param at when that was, in nanoseconds; where bytes move in rounds, the time of the last round
 */
public record AllocationMoves(
    Map<Tenant, Long> settled, Map<Tenant, Long> granted, double allowance, long at) {
  /** Nobody has anything yet, and anything may move. */
  public static final AllocationMoves NONE =
      new AllocationMoves(Map.of(), Map.of(), Double.POSITIVE_INFINITY, 0);

  private static final double LEAST_PER_MINUTE = 640e6;
  private static final double SHARE_PER_MINUTE = 0.01;
  private static final double MINUTE_NANOS = 60e9;

  /** Returns the bytes a tenant has now. */
  public long bytes(Tenant tenant) {
    return granted.getOrDefault(tenant, 0L);
  }

  /** Returns the moves that go at once to what an allocator has decided. */
  public static AllocationMoves atOnce(Map<Tenant, Allocator.Share> target, long now) {
    Map<Tenant, Long> settled = new HashMap<>();
    Map<Tenant, Long> granted = new HashMap<>();
    target.forEach((tenant, share) -> {
      settled.put(tenant, share.planned());
      granted.put(tenant, share.bytes());
    });
    return new AllocationMoves(settled, granted, Double.POSITIVE_INFINITY, now);
  }

  /** Returns the moves that come next on the way to what an allocator has decided. */
  public AllocationMoves toward(
      List<Allocator.Claimant> claimants,
      Map<Tenant, Allocator.Share> target,
      CacheBudget budget,
      long now) {
    double perMinute = Math.max(LEAST_PER_MINUTE, SHARE_PER_MINUTE * budget.bytes());
    double allowed = Math.min(perMinute, allowance + perMinute * (now - at) / MINUTE_NANOS);
    return new Step(claimants, target, budget).take(allowed, now);
  }

  /** One step on the way; losses beyond what is allowed are put off, worst gains wait for them. */
  private final class Step {
    private final List<Demand> demands = new ArrayList<>();
    private final CacheBudget budget;
    private final long[] planned;
    private final long[] bytes;
    private final long[] loss;
    private final long[] gain;
    private final double[] perByte;
    private final boolean[] measured;
    private double exempt;

    Step(
        List<Allocator.Claimant> claimants,
        Map<Tenant, Allocator.Share> target,
        CacheBudget budget) {
      int count = claimants.size();
      this.budget = budget;
      this.planned = new long[count];
      this.bytes = new long[count];
      this.loss = new long[count];
      this.gain = new long[count];
      this.perByte = new double[count];
      this.measured = new boolean[count];
      for (int i = 0; i < count; i++) {
        Demand demand = claimants.get(i).demand();
        demands.add(demand);
        Allocator.Share share = target.getOrDefault(demand.tenant(), Allocator.Share.NOTHING);
        planned[i] = share.planned();
        bytes[i] = share.bytes();
        boolean first = !settled.containsKey(demand.tenant());
        boolean known = claimants.get(i).measured();
        measured[i] = known || !first;
        long had = Math.min(settled.getOrDefault(demand.tenant(), 0L), demand.most());
        loss[i] = Math.max(0, had - bytes[i]);
        if (known && loss[i] > 0) {
          loss[i] = Math.max(0, used(demand, had) - bytes[i]);
        }
        gain[i] = Math.max(0, planned[i] - had);
        boolean atOnce = first || !known;
        exempt += atOnce ? gain[i] : Math.min(gain[i], Math.max(0, demand.least() - had));
        perByte[i] = atOnce ? Double.POSITIVE_INFINITY : perByte(demand, had, planned[i]);
        perByte[i] = loss[i] > 0 ? perByte(demand, bytes[i], had) : perByte[i];
      }
    }

    /** Returns the bytes of a share without which its jobs would be slower. */
    private static long used(Demand demand, long had) {
      double[] saved = demand.gpusSaved();
      int held = demand.steps(had);
      int least = 0;
      while (saved[least] < saved[held]) {
        least++;
      }
      return least < held ? demand.bytes(least) : had;
    }

    private static double perByte(Demand demand, long from, long to) {
      double saved = demand.gpusSaved(demand.steps(to)) - demand.gpusSaved(demand.steps(from));
      return to > from ? saved / (to - from) : 0;
    }

    AllocationMoves take(double allowed, long now) {
      long lost = 0;
      long sum = 0;
      for (int i = 0; i < loss.length; i++) {
        lost += loss[i];
        sum += bytes[i];
      }
      long putOff = (long) Math.max(0, lost - exempt - allowed);
      long available = budget.bytes() - sum + spare();
      putOff = Math.clamp(putOff, 0, Math.max(0, available));
      long[] shares = bytes.clone();
      long[] worth = planned.clone();
      keep(shares, worth, putOff);
      cut(shares, worth, putOff - Math.max(0, budget.bytes() - sum));
      if (putOff > 0 && !BudgetLedger.fits(demands, shares, budget)) {
        putOff = 0;
        shares = bytes;
        worth = planned;
      }
      Map<Tenant, Long> has = new HashMap<>();
      Map<Tenant, Long> kept = new HashMap<>();
      for (int i = 0; i < shares.length; i++) {
        has.put(demands.get(i).tenant(), shares[i]);
        if (measured[i]) {
          kept.put(demands.get(i).tenant(), worth[i]);
        }
      }
      double spent = Math.max(0, lost - putOff - exempt);
      return new AllocationMoves(kept, has, Math.max(0, allowed - spent), now);
    }

    /** Returns the bytes that can wait: extras and gains. */
    private long spare() {
      long spare = 0;
      for (int i = 0; i < bytes.length; i++) {
        spare += bytes[i] - planned[i] + gain[i];
      }
      return spare;
    }

    /** Lets those keep bytes who would lose the most for a byte. */
    private void keep(long[] shares, long[] worth, long putOff) {
      long left = putOff;
      for (int i : order(Comparator.<Integer>comparingDouble(i -> -perByte[i]))) {
        long kept = Math.min(left, loss[i]);
        shares[i] += kept;
        worth[i] = kept > 0 ? shares[i] : worth[i];
        left -= kept;
      }
    }

    /** Has those wait for bytes who would not gain by them, and then who would gain least. */
    private void cut(long[] shares, long[] worth, long bytesToCut) {
      long left = Math.max(0, bytesToCut);
      for (int i = 0; i < shares.length && left > 0; i++) {
        long cut = Math.min(left, loss[i] > 0 ? 0 : bytes[i] - planned[i]);
        shares[i] -= cut;
        left -= cut;
      }
      for (int i : order(Comparator.<Integer>comparingDouble(i -> perByte[i]))) {
        long cut = Math.min(left, gain[i]);
        shares[i] -= cut;
        worth[i] -= cut;
        left -= cut;
      }
    }

    private List<Integer> order(Comparator<Integer> by) {
      List<Integer> places = new ArrayList<>();
      for (int i = 0; i < loss.length; i++) {
        places.add(i);
      }
      places.sort(by);
      return places;
    }
  }
}
