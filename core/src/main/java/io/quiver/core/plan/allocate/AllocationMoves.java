package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds how many bytes change hands in any minute: 640 MB or a hundredth of the capacity,
 * whichever is more. Loading what was moved costs reads of the store, so the moves that save most
 * for a byte come first, and none is made for a byte that saves hardly more where it goes than
 * where it is. Only bytes that save their tenant GPU time count: free bytes, bytes that nobody had
 * a better use for, trials, a tenant's first share by measured worth and what somebody pins by hand
 * are given at once. Otherwise jobs that start together would wait an hour for those that happened
 * to be measured first.
 *
 * @param settled the bytes each measured tenant has for what they are worth
 * @param granted all the bytes each tenant has
 * @param recent the moves of the last minute, the oldest first
 * @param at when that was, in nanoseconds; where bytes move in rounds, the time of the last round
 */
public record AllocationMoves(
    Map<Tenant, Long> settled, Map<Tenant, Long> granted, List<Moved> recent, long at) {
  /** Nobody has anything yet, and anything may move. */
  public static final AllocationMoves NONE = new AllocationMoves(Map.of(), Map.of(), List.of(), 0);

  /**
   * Bytes move only to a tenant for whom one of them saves more than this many times as much as it
   * does where it is: measured benefits differ by chance, and every move costs reads of the store.
   */
  private static final double CLEARLY = 1.2;

  private static final double LEAST_PER_MINUTE = 640e6;
  private static final double SHARE_PER_MINUTE = 0.01;
  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** Moves within so long are remembered as one, which bounds how many are remembered. */
  private static final long TOGETHER_NANOS = 1_000_000_000L;

  /**
   * Bytes that changed hands.
   *
   * @param from when the first of them did
   * @param to when the last of them did
   */
  record Moved(long from, long to, long bytes) {}

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
    return new AllocationMoves(settled, granted, List.of(), now);
  }

  /** Returns the moves that come next on the way to what an allocator has decided. */
  public AllocationMoves toward(
      List<Allocator.Claimant> claimants,
      Map<Tenant, Allocator.Share> target,
      CacheBudget budget,
      long now) {
    double perMinute = Math.max(LEAST_PER_MINUTE, SHARE_PER_MINUTE * budget.bytes());
    List<Moved> counting = recent.stream().filter(each -> now - each.to < MINUTE_NANOS).toList();
    long spent = counting.stream().mapToLong(Moved::bytes).sum();
    long allowed = Math.max(0, (long) perMinute - spent);
    return new Step(claimants, target, budget).take(allowed, counting, now);
  }

  /** Returns these moves and one more. */
  private static List<Moved> and(List<Moved> moves, long bytes, long now) {
    if (bytes <= 0) {
      return moves;
    }
    List<Moved> all = new ArrayList<>(moves);
    boolean together = !all.isEmpty() && now - all.getLast().from < TOGETHER_NANOS;
    Moved before = together ? all.removeLast() : new Moved(now, now, 0);
    all.add(new Moved(before.from, now, before.bytes + bytes));
    return all;
  }

  /** One step on the way; losses beyond what is allowed are put off, worst gains wait for them. */
  private final class Step {
    private final List<Demand> demands = new ArrayList<>();
    private final CacheBudget budget;
    private final long[] planned;
    private final long[] bytes;
    private final long[] loss;
    private final long[] gain;
    // The part of a gain that does not wait and does not count.
    private final long[] exempt;
    private final double[] perByte;
    private final boolean[] measured;

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
      this.exempt = new long[count];
      this.perByte = new double[count];
      this.measured = new boolean[count];
      for (int i = 0; i < count; i++) {
        demands.add(claimants.get(i).demand());
        Tenant tenant = demands.get(i).tenant();
        Allocator.Share share = target.getOrDefault(tenant, Allocator.Share.NOTHING);
        planned[i] = share.planned();
        bytes[i] = share.bytes();
        judge(i, claimants.get(i).measured(), !settled.containsKey(tenant));
      }
    }

    /** Finds what a tenant would gain or lose. */
    private void judge(int i, boolean known, boolean first) {
      Demand demand = demands.get(i);
      measured[i] = known || !first;
      long had = Math.min(settled.getOrDefault(demand.tenant(), 0L), demand.most());
      loss[i] = Math.max(0, had - bytes[i]);
      if (known && loss[i] > 0) {
        loss[i] = Math.max(0, used(demand, had) - bytes[i]);
      }
      gain[i] = Math.max(0, planned[i] - had);
      boolean atOnce = first || !known;
      exempt[i] = atOnce ? gain[i] : Math.clamp(demand.least() - had, 0, gain[i]);
      perByte[i] = loss[i] > 0 ? perByte(demand, bytes[i], had) : perByte(demand, had, planned[i]);
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

    AllocationMoves take(long allowed, List<Moved> before, long now) {
      long lost = sum(loss);
      long sum = sum(bytes);
      long free = budget.bytes() - sum;
      long unlost = Math.max(0, sum(gain) - lost);
      long uncounted = Math.min(lost, Math.max(0, sum(exempt) - unlost));
      long mayMove = Math.min(worthwhile(unlost), uncounted + allowed);
      long putOff = Math.max(0, lost - mayMove);
      putOff = Math.clamp(putOff, 0, Math.max(0, free + spare()));
      long[] shares = bytes.clone();
      long[] worth = planned.clone();
      keep(shares, worth, putOff);
      cut(shares, worth, putOff - Math.max(0, free));
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
      long spent = Math.max(0, lost - putOff - uncounted);
      return new AllocationMoves(kept, has, and(before, spent, now), now);
    }

    private static long sum(long[] values) {
      long sum = 0;
      for (long each : values) {
        sum += each;
      }
      return sum;
    }

    /**
     * Returns how many of the lost bytes save clearly more where they go than where they are. Bytes
     * that nobody loses serve those who gain most; the others are served by who loses least.
     *
     * @param unlost the gained bytes that nobody loses
     */
    private long worthwhile(long unlost) {
      List<Part> gains = new ArrayList<>();
      List<Part> losses = new ArrayList<>();
      for (int i = 0; i < gain.length; i++) {
        gains.add(new Part(exempt[i], Double.POSITIVE_INFINITY));
        gains.add(new Part(gain[i] - exempt[i], perByte[i]));
        losses.add(new Part(loss[i], perByte[i]));
      }
      gains.sort(Comparator.comparingDouble((Part part) -> part.perByte).reversed());
      losses.sort(Comparator.comparingDouble(Part::perByte));
      long worthwhile = 0;
      long passed = 0;
      long skip = unlost;
      int at = 0;
      for (Part each : gains) {
        long wanted = Math.max(0, each.bytes - skip);
        skip = Math.max(0, skip - each.bytes);
        while (wanted > 0
            && at < losses.size()
            && each.perByte > CLEARLY * losses.get(at).perByte) {
          long taken = Math.min(wanted, losses.get(at).bytes - passed);
          worthwhile += taken;
          wanted -= taken;
          passed += taken;
          if (passed == losses.get(at).bytes) {
            at++;
            passed = 0;
          }
        }
      }
      return worthwhile;
    }

    /** Bytes of one tenant that save so much each. */
    private record Part(long bytes, double perByte) {}

    /** Returns the bytes that can wait: extras, and gains but for those that must not. */
    private long spare() {
      long spare = 0;
      for (int i = 0; i < bytes.length; i++) {
        spare += (loss[i] > 0 ? 0 : bytes[i] - planned[i]) + gain[i] - exempt[i];
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
        long cut = Math.min(left, gain[i] - exempt[i]);
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
