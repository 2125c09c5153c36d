package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The way of IGTCache (§3.3 and §4): in every round some bytes move from the tenant with the lowest
 * marginal benefit to the one with the highest, and everybody keeps a minimum. Kept to compare
 * with: it counts bytes that the store is spared, not GPUs.
 *
 * <p>The paper's marginal benefit B is the number of times a second that one more cached byte is
 * read: 0 for sequential reads, 1/(g·n) for random ones of n blocks at gaps of g, λ·f/w for skewed
 * ones at a rate of λ of which the part f hits a ghost of w blocks. All three are the bytes read in
 * a second times the slope of the tenant's curve, so they are computed so. A data set is read in
 * random order whatever is held of it.
 *
 * <p>The paper is silent about free bytes, which are divided equally here, and about newcomers, who
 * take their minimum from those with the lowest benefit.
 */
public final class IgtAllocation implements AllocationPolicy {
  private static final AllocationPolicy EQUAL = new EqualAllocation();
  private static final long[] NOTHING = {};

  private final ShiftRules rules;
  private final boolean due;

  /**
   * Makes a policy.
   *
   * @param due whether the time of a round has come; between rounds only newcomers, those who left
   *     and the capacity change anything
   */
  public IgtAllocation(ShiftRules rules, boolean due) {
    this.rules = rules;
    this.due = due;
  }

  @Override
  public long[] divide(List<Demand> demands, CacheBudget budget, long[] before) {
    List<Demand> bound = demands.stream().map(each -> minimum(each, demands, budget)).toList();
    long[] shares = keep(bound, budget, before);
    List<Demand> keeping = new ArrayList<>();
    for (int i = 0; i < shares.length; i++) {
      keeping.add(bound.get(i).within(shares[i], bound.get(i).limit()));
    }
    shares = EQUAL.divide(keeping, budget, NOTHING);
    if (due && before.length == shares.length) {
      shift(bound, budget, shares);
    }
    return shares;
  }

  private Demand minimum(Demand demand, List<Demand> all, CacheBudget budget) {
    long least = Math.min(rules.leastBytes(), budget.bytes() / all.size());
    return demand.within(Math.max(demand.floor(), least), demand.limit());
  }

  /** Returns what each keeps of its share before: all of it, as far as everybody has its least. */
  private long[] keep(List<Demand> demands, CacheBudget budget, long[] before) {
    BudgetLedger ledger = new BudgetLedger(budget);
    long[] shares = AllocationValue.floors(demands, ledger);
    if (before.length == shares.length) {
      for (int place : byBenefit(demands, before)) {
        Demand demand = demands.get(place);
        long had = Math.min(before[place], demand.most());
        long more = Math.clamp(had - shares[place], 0, Math.max(0, ledger.left(demand)));
        ledger.take(demand, more);
        shares[place] += more;
      }
    }
    return shares;
  }

  /**
   * Moves bytes from the tenant with the lowest benefit who can give to the highest who can take.
   */
  private void shift(List<Demand> demands, CacheBudget budget, long[] shares) {
    List<Integer> order = byBenefit(demands, shares);
    for (int to : order) {
      long wanted = Math.min(rules.bytes(), demands.get(to).most() - shares[to]);
      if (wanted > 0) {
        for (int from : order.reversed()) {
          long given = Math.min(wanted, shares[from] - demands.get(from).least());
          if (from != to && given > 0) {
            move(demands, budget, shares, from, to, given);
            return;
          }
        }
      }
    }
  }

  private void move(
      List<Demand> demands, CacheBudget budget, long[] shares, int from, int to, long bytes) {
    double least = benefit(demands.get(from), shares[from]);
    double most = benefit(demands.get(to), shares[to]);
    if (most > rules.clearly() * least) {
      shares[from] -= bytes;
      shares[to] += bytes;
      if (!BudgetLedger.fits(demands, shares, budget)) { // the quota of the one who takes
        shares[from] += bytes;
        shares[to] -= bytes;
      }
    }
  }

  /** Returns the places of the tenants, the highest marginal benefit first. */
  private List<Integer> byBenefit(List<Demand> demands, long[] shares) {
    List<Integer> places = new ArrayList<>();
    double[] benefits = new double[shares.length];
    for (int i = 0; i < shares.length; i++) {
      places.add(i);
      benefits[i] = benefit(demands.get(i), shares[i]);
    }
    places.sort(Comparator.comparingDouble(place -> -benefits[place]));
    return places;
  }

  /**
   * Returns the paper's B: how many bytes a second the store would be spared by one byte more.
   *
   * @param share the bytes it has now
   */
  public double benefit(Demand demand, long share) {
    double whole = Math.max(1, demand.bytes());
    if (demand.tenant() instanceof DatasetKey) {
      return demand.bytesPerSecond() / whole;
    }
    double held = Math.min(1, share / whole);
    double more = Math.min(1, (share + (double) Math.max(1, rules.bytes())) / whole);
    double from = more > held ? held : Math.max(0, 2 * held - more);
    double to = Math.max(more, from + 1 / whole);
    return demand.bytesPerSecond() * (at(demand, from) - at(demand, to)) / ((to - from) * whole);
  }

  /** Returns the share of reads that go to the store with a part of the data held. */
  private static double at(Demand demand, double part) {
    double steps = Math.min(1, part) * demand.steps();
    int below = Math.min((int) steps, demand.steps() - 1);
    double low = demand.unread().at(below);
    return low + (steps - below) * (demand.unread().at(below + 1) - low);
  }
}
