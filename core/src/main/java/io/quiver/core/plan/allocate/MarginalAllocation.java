package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Gives budget where a byte saves the most GPU time: any number of pinned chunks, with a rotating
 * window where several jobs share a data set. Contains the paper's three choices (all, two chunks,
 * nothing) as points of one line.
 */
public final class MarginalAllocation implements AllocationPolicy {
  private static final Comparator<Offer> BEST_FIRST =
      Comparator.<Offer>comparingDouble(offer -> -offer.step.perByte())
          .thenComparingInt(Offer::dataset);

  /** Another division must save this many times as much to be preferred. */
  private static final double ENOUGH = 1.001;

  private record Offer(int dataset, int place, ConcaveEnvelope.Step step) {}

  @Override
  public long[] divide(List<Demand> demands, CacheBudget budget, long[] before) {
    AllocationValue worth = new AllocationValue(demands);
    List<List<ConcaveEnvelope.Step>> steps = new ArrayList<>();
    for (int i = 0; i < demands.size(); i++) {
      steps.add(ConcaveEnvelope.of(demands.get(i), worth.of(i)));
    }
    // Whether the first step that does not fit is taken in part at once or last depends.
    long[] best =
        worth.better(
            new Taking(demands, budget, worth, steps).take(false),
            new Taking(demands, budget, worth, steps).take(true));
    if (demands.size() <= ExactDivision.MOST_TENANTS && budget.quotas().isEmpty()) {
      best = clearlyBetter(worth, demands, budget, best);
    }
    if (before.length != demands.size()) {
      return best;
    }
    long[] kept = new long[before.length];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = AllocationValue.allowed(demands.get(i), before[i]);
    }
    return worth.settle(kept, best, budget);
  }

  /** Returns the best division if it saves more than taking steps, and not only by rounding. */
  private static long[] clearlyBetter(
      AllocationValue worth, List<Demand> demands, CacheBudget budget, long[] taken) {
    long[] exact = ExactDivision.of(demands, worth, budget.bytes());
    boolean fits = BudgetLedger.fits(demands, exact, budget);
    return fits && worth.of(exact) > ENOUGH * worth.of(taken) ? exact : taken;
  }

  /** Takes steps, the best first; of one that does not fit, a part. */
  private static final class Taking {
    private final List<Demand> demands;
    private final AllocationValue worth;
    private final List<List<ConcaveEnvelope.Step>> steps;
    private final BudgetLedger ledger;
    private final long[] shares;
    private final PriorityQueue<Offer> offers = new PriorityQueue<>(BEST_FIRST);

    Taking(
        List<Demand> demands,
        CacheBudget budget,
        AllocationValue worth,
        List<List<ConcaveEnvelope.Step>> steps) {
      this.demands = demands;
      this.worth = worth;
      this.steps = steps;
      this.ledger = new BudgetLedger(budget);
      this.shares = AllocationValue.floors(demands, ledger);
    }

    long[] take(boolean partsAtOnce) {
      for (int i = 0; i < steps.size(); i++) {
        offer(i, 0);
      }
      List<Integer> tooLarge = new ArrayList<>();
      while (!offers.isEmpty()) {
        Offer offer = offers.remove();
        Demand demand = demands.get(offer.dataset);
        long cost = Math.max(0, demand.bytes(offer.step.chunks()) - shares[offer.dataset]);
        if (cost <= ledger.left(demand)) {
          give(offer.dataset, cost);
          offer(offer.dataset, offer.place + 1);
        } else if (partsAtOnce) {
          give(offer.dataset, part(offer.dataset));
        } else {
          tooLarge.add(offer.dataset);
        }
      }
      tooLarge.forEach(dataset -> give(dataset, part(dataset)));
      return shares;
    }

    private void offer(int dataset, int place) {
      if (place < steps.get(dataset).size()) {
        offers.add(new Offer(dataset, place, steps.get(dataset).get(place)));
      }
    }

    private void give(int dataset, long bytes) {
      shares[dataset] += bytes;
      ledger.take(demands.get(dataset), bytes);
    }

    /** Returns the part of the rest that helps where the next step does not fit: whole chunks. */
    private long part(int dataset) {
      Demand demand = demands.get(dataset);
      long share = shares[dataset];
      int held = demand.steps(share);
      int fit = Math.min(demand.steps(share + ledger.left(demand)), demand.mostSteps());
      boolean helps = fit > held && worth.of(dataset, fit) > worth.of(dataset, held);
      return helps ? Math.clamp(demand.bytes(fit) - share, 0, ledger.left(demand)) : 0;
    }
  }
}
