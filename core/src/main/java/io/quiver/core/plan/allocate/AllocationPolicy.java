package io.quiver.core.plan.allocate;

import java.util.List;

/** How the budget of a cluster is divided among data sets. One final class for each way. */
public sealed interface AllocationPolicy
    permits MarginalAllocation, GreedyAllocation, EqualAllocation {
  /**
   * Bytes for each data set, in the order of the demands; together at most the budget.
   *
   * @param before what each has now, in the same order: a policy leaves it so unless another
   *     division is clearly better, so that chunks do not come and go; empty for nothing
   */
  long[] divide(List<DatasetDemand> demands, CacheBudget budget, long[] before);
}
