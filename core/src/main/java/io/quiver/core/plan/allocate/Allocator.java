package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Divides the budget among the data sets that are read, in three rounds.
 *
 * <ol>
 *   <li>Data sets whose jobs have not been measured get a trial: their rotating window, at most
 *       their equal share of everything. That is enough for jobs to share what they read and little
 *       enough to take next to nothing from the others.
 *   <li>Those whose jobs have been measured get what it is worth to them, by the policy.
 *   <li>What is left goes to all of them in equal parts, which spares the store; data sets whose
 *       jobs gain nothing come last and get what no other can use. (The paper's planner leaves it
 *       empty.)
 * </ol>
 */
public final class Allocator {
  /**
   * The bytes a data set has of the capacity.
   *
   * @param planned for what they are worth, or until that is known
   * @param extra those that nobody has a better use for
   */
  public record Share(long planned, long extra) {
    /** No bytes. */
    public static final Share NOTHING = new Share(0, 0);

    /** Returns all of its bytes. */
    public long bytes() {
      return planned + extra;
    }
  }

  /**
   * A tenant that is read, when the capacity is divided.
   *
   * @param demand what bytes are worth to it
   * @param measured whether that is known
   * @param trial the bytes it gets until then
   * @param before the share it had
   */
  public record Claimant(Demand demand, boolean measured, long trial, Share before) {}

  private static final AllocationPolicy EQUAL = new EqualAllocation();
  private static final long[] NOTHING = {};

  private final AllocationPolicy policy;

  /** Makes an allocator that goes by a policy. */
  public Allocator(AllocationPolicy policy) {
    this.policy = policy;
  }

  /** Returns the policy. */
  public AllocationPolicy policy() {
    return policy;
  }

  /** Returns the share of each tenant. */
  public Map<Tenant, Share> divide(List<Claimant> claimants, CacheBudget budget) {
    List<Demand> all = claimants.stream().map(Claimant::demand).toList();
    long[] planned = trials(claimants, EQUAL.divide(all, budget, NOTHING));
    decide(claimants, budget, planned);
    long[] whole = fill(claimants, budget, planned);
    Map<Tenant, Share> shares = new HashMap<>();
    for (int i = 0; i < whole.length; i++) {
      shares.put(claimants.get(i).demand().tenant(), new Share(planned[i], whole[i] - planned[i]));
    }
    return shares;
  }

  /** Returns the bytes of claimants of which nothing is known. */
  private static long[] trials(List<Claimant> claimants, long[] equal) {
    long[] trials = new long[claimants.size()];
    for (int i = 0; i < trials.length; i++) {
      trials[i] = claimants.get(i).measured() ? 0 : Math.min(equal[i], claimants.get(i).trial());
    }
    return trials;
  }

  /** Has the policy decide about the measured ones in the budget beside the trials. */
  private void decide(List<Claimant> claimants, CacheBudget budget, long[] planned) {
    List<Integer> places = new ArrayList<>();
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < planned.length; i++) {
      if (claimants.get(i).measured()) {
        places.add(i);
        demands.add(claimants.get(i).demand());
      }
    }
    long[] before = new long[places.size()];
    for (int i = 0; i < before.length; i++) {
      before[i] = claimants.get(places.get(i)).before().planned();
    }
    long[] decided = policy.divide(demands, beside(claimants, budget, planned), before);
    for (int i = 0; i < decided.length; i++) {
      planned[places.get(i)] = decided[i];
    }
  }

  private static CacheBudget beside(List<Claimant> claimants, CacheBudget budget, long[] taken) {
    Map<String, Long> quotas = new HashMap<>(budget.quotas());
    long left = budget.bytes();
    for (int i = 0; i < taken.length; i++) {
      long bytes = taken[i];
      left -= bytes;
      quotas.computeIfPresent(
          claimants.get(i).demand().payer(), (payer, quota) -> Math.max(0, quota - bytes));
    }
    return new CacheBudget(left, quotas);
  }

  /**
   * Gives out what is left: to those who may gain from it, and what they cannot use to the rest.
   */
  private long[] fill(List<Claimant> claimants, CacheBudget budget, long[] planned) {
    boolean only = policy.isAllOrNothing();
    long[] useful =
        fill(claimants, budget, planned, each -> !each.measured() || (!only && mayGain(each)));
    long[] whole = only ? useful : fill(claimants, budget, useful, each -> true);
    for (int i = 0; i < whole.length; i++) {
      whole[i] = Math.max(planned[i], policy.rounded(claimants.get(i).demand(), whole[i]));
    }
    return whole;
  }

  private static boolean mayGain(Claimant claimant) {
    return !claimant.measured() || claimant.demand().gains();
  }

  /** Divides what is left: nobody gets less than before, and only those let in get more. */
  private static long[] fill(
      List<Claimant> claimants, CacheBudget budget, long[] before, Predicate<Claimant> letIn) {
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < before.length; i++) {
      Claimant claimant = claimants.get(i);
      long most = letIn.test(claimant) ? claimant.demand().limit() : before[i];
      demands.add(claimant.demand().within(before[i], Math.max(most, before[i])));
    }
    return EQUAL.divide(demands, budget, NOTHING);
  }
}
