package io.quiver.core.plan.allocate;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * The paper's way (Quiver, §5.3): for each data set all of it, the chunks that rotate, or nothing,
 * greedily by benefit for cost. Kept to compare with.
 *
 * <p>The paper's allocations (§7.6) show what its text leaves open. A choice counts by what it adds
 * to the present one for the bytes it adds: with 700 GB, all of OpenImages comes before all of
 * LibriSpeech, whose window is as good. A choice that does not fit takes the bytes of one that is
 * worth less than it adds. Bytes that add nothing go to the data sets whose jobs gain most.
 *
 * <p>Where the paper's G = Σ b·n would reward jobs that gain nothing, n·(b − 1) is used.
 */
public final class GreedyAllocation implements AllocationPolicy {
  private static final Comparator<Choice> BEST_FIRST =
      Comparator.comparingDouble(Choice::perByte)
          .thenComparingDouble(Choice::whole)
          .reversed()
          .thenComparingInt(Choice::dataset)
          .thenComparingLong(Choice::bytes);

  private static final int[] NOTHING = {};

  /**
   * Another share for a data set.
   *
   * @param from the present share
   * @param bytes the share
   * @param added GPUs it saves beyond the present share
   * @param whole GPUs saved by all of the data set
   */
  private record Choice(int dataset, long from, long bytes, double added, double whole) {
    long cost() {
      return bytes - from;
    }

    double perByte() {
      return added / cost();
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
    long[] best = new Taking(demands, budget, worth).take();
    if (before.length != demands.size()) {
      return best;
    }
    long[] kept = new long[before.length];
    for (int i = 0; i < kept.length; i++) {
      Demand demand = demands.get(i);
      kept[i] =
          Math.max(demand.least(), rounded(demand, AllocationValue.allowed(demand, before[i])));
    }
    return worth.settleWhole(kept, best, budget);
  }

  @Override
  public long rounded(Demand demand, long share) {
    int held = demand.steps(share);
    int rotating = Math.min(window, demand.steps());
    int chosen = held == demand.steps() ? held : held >= rotating ? rotating : 0;
    return Math.min(share, demand.bytes(chosen));
  }

  /** Returns the shares to choose from, beside nothing. */
  private IntStream levels(Demand demand) {
    return IntStream.of(Math.min(window, demand.steps()), demand.steps())
        .distinct()
        .filter(held -> demand.bytes(held) <= demand.limit());
  }

  /** Takes choices, the best first. */
  private final class Taking {
    private final List<Demand> demands;
    private final AllocationValue worth;
    private final BudgetLedger ledger;
    private final long[] floors;
    private final long[] shares;
    private final PriorityQueue<Choice> offers = new PriorityQueue<>(BEST_FIRST);

    Taking(List<Demand> demands, CacheBudget budget, AllocationValue worth) {
      this.demands = demands;
      this.worth = worth;
      this.ledger = new BudgetLedger(budget);
      this.floors = AllocationValue.floors(demands, ledger);
      this.shares = floors.clone();
    }

    long[] take() {
      for (int i = 0; i < shares.length; i++) {
        offer(i);
      }
      while (!offers.isEmpty()) {
        Choice choice = offers.remove();
        // Of a data set that has another share by now: it was given more, or gave way.
        boolean stale = shares[choice.dataset] != choice.from;
        if (!stale && (fits(choice) || giveWay(choice))) {
          set(choice.dataset, choice.bytes);
          offer(choice.dataset);
        }
      }
      return shares;
    }

    private void offer(int dataset) {
      Demand demand = demands.get(dataset);
      long share = shares[dataset];
      double whole = worth.of(dataset, demand.steps());
      if (whole > 0) {
        levels(demand)
            .filter(held -> demand.bytes(held) > share)
            .mapToObj(
                held -> new Choice(dataset, share, demand.bytes(held), saved(dataset, held), whole))
            .filter(choice -> choice.added >= 0)
            .forEach(offers::add);
      }
    }

    /** Returns how many GPUs more than now are saved with so many chunks. */
    private double saved(int dataset, int held) {
      return worth.of(dataset, held)
          - worth.of(dataset, demands.get(dataset).steps(shares[dataset]));
    }

    private boolean fits(Choice choice) {
      return choice.cost() <= ledger.left(demands.get(choice.dataset));
    }

    /** Has the data set that loses least fall back, if that is less than a choice adds. */
    private boolean giveWay(Choice choice) {
      double least = choice.added;
      int loser = -1;
      long less = 0;
      for (int i = 0; i < shares.length; i++) {
        for (int held : i == choice.dataset ? NOTHING : lower(i)) {
          if (-saved(i, held) < least && fitsWithout(choice, i, bytes(i, held))) {
            least = -saved(i, held);
            loser = i;
            less = bytes(i, held);
          }
        }
      }
      if (loser >= 0) {
        set(loser, less);
      }
      return loser >= 0;
    }

    /** Returns the levels below the share of a data set. */
    private int[] lower(int dataset) {
      return IntStream.concat(IntStream.of(0), levels(demands.get(dataset)))
          .filter(held -> bytes(dataset, held) < shares[dataset])
          .toArray();
    }

    private long bytes(int dataset, int held) {
      return Math.max(floors[dataset], demands.get(dataset).bytes(held));
    }

    private boolean fitsWithout(Choice choice, int dataset, long less) {
      long share = shares[dataset];
      set(dataset, less);
      boolean fits = fits(choice);
      set(dataset, share);
      return fits;
    }

    private void set(int dataset, long bytes) {
      ledger.take(demands.get(dataset), bytes - shares[dataset]);
      shares[dataset] = bytes;
    }
  }
}
