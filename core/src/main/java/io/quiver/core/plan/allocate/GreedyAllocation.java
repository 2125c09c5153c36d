package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The paper's way (Quiver, §5.3): for each data set all of it, the chunks that rotate, or nothing,
 * the highest benefit for its cost first. Kept to compare with.
 *
 * <p>Where the paper's G = Σ b·n would reward jobs that gain nothing, n·(b − 1) is used.
 */
public final class GreedyAllocation implements AllocationPolicy {
  private static final Comparator<Choice> BEST_FIRST =
      Comparator.comparingDouble(Choice::perByte)
          .reversed()
          .thenComparingInt(Choice::dataset)
          .thenComparingLong(Choice::bytes);

  private record Choice(int dataset, long bytes, double worth) {
    double perByte() {
      return worth / Math.max(bytes, 1);
    }
  }

  private final int window;

  /** Makes a policy whose rotating part is so many chunks. */
  public GreedyAllocation(int window) {
    this.window = window;
  }

  @Override
  public boolean isAllOrNothing() {
    return true;
  }

  @Override
  public long[] divide(List<Demand> demands, CacheBudget budget, long[] before) {
    AllocationValue worth = new AllocationValue(demands);
    List<Choice> choices = new ArrayList<>();
    for (int i = 0; i < demands.size(); i++) {
      choices.addAll(choices(demands.get(i), i, worth));
    }
    choices.sort(BEST_FIRST);
    BudgetLedger ledger = new BudgetLedger(budget);
    long[] shares = AllocationValue.floors(demands, ledger);
    for (Choice choice : choices) {
      Demand demand = demands.get(choice.dataset);
      long cost = choice.bytes - shares[choice.dataset];
      if (cost > 0 && cost <= ledger.left(demand)) {
        shares[choice.dataset] = choice.bytes;
        ledger.take(demand, cost);
      }
    }
    if (before.length != demands.size()) {
      return shares;
    }
    long[] kept = new long[before.length];
    for (int i = 0; i < kept.length; i++) {
      Demand demand = demands.get(i);
      kept[i] =
          Math.max(demand.least(), rounded(demand, AllocationValue.allowed(demand, before[i])));
    }
    return worth.settle(kept, shares, budget);
  }

  @Override
  public long rounded(Demand demand, long share) {
    int held = demand.steps(share);
    int rotating = Math.min(window, demand.steps());
    int chosen = held == demand.steps() ? held : held >= rotating ? rotating : 0;
    return Math.min(share, demand.bytes(chosen));
  }

  private List<Choice> choices(Demand demand, int dataset, AllocationValue worth) {
    int rotating = Math.min(window, demand.steps());
    return IntStream.of(rotating, demand.steps())
        .distinct()
        .filter(held -> demand.bytes(held) <= demand.limit())
        .mapToObj(held -> new Choice(dataset, demand.bytes(held), worth.of(dataset, held)))
        .filter(choice -> choice.worth > 0)
        .toList();
  }
}
