package io.quiver.core.plan.allocate;

import java.util.List;

/** Divides the budget of a cluster among tenants. One final class for each way. */
public sealed interface AllocationPolicy
    permits MarginalAllocation, GreedyAllocation, IgtAllocation, EqualAllocation {
  /**
   * Returns the bytes of each data set, in the order of the demands; together at most the budget.
   *
   * @param before what each has now, in the same order: a policy leaves it so unless another
   *     division is clearly better, so that chunks do not come and go; empty for nothing
   */
  long[] divide(List<Demand> demands, CacheBudget budget, long[] before);

  /**
   * Returns true if shares are points to choose from rather than any number of bytes. Then nothing
   * is given beside what the policy decides, and nothing moves in parts.
   */
  default boolean isAllOrNothing() {
    return false;
  }

  /** Returns the most bytes of a share that the policy would give. */
  default long rounded(Demand demand, long share) {
    return share;
  }
}
