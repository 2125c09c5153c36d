package io.quiver.core.plan;

import io.quiver.core.plan.allocate.AllocationMoves;
import io.quiver.core.plan.allocate.AllocationPolicy;
import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.CacheBudget;
import io.quiver.core.plan.allocate.GreedyAllocation;
import io.quiver.core.plan.allocate.IgtAllocation;
import io.quiver.core.plan.allocate.MarginalAllocation;
import io.quiver.core.plan.allocate.Tenant;
import java.util.List;
import java.util.Map;

/** Divides the capacity by the policy of a planner, and says how fast bytes change hands. */
final class CapacityDivider {
  private final PlannerConfig config;
  private final Allocator allocator;

  /**
   * The outcome of the claims of all tenants.
   *
   * @param shares the bytes each is to have
   * @param moves the bytes each has now, on the way there
   */
  record Divided(Map<Tenant, Allocator.Share> shares, AllocationMoves moves) {}

  CapacityDivider(PlannerConfig config) {
    this.config = config;
    this.allocator = new Allocator(policy(config, false));
  }

  private static AllocationPolicy policy(PlannerConfig config, boolean due) {
    return switch (config.kind()) {
      case GREEDY3 -> new GreedyAllocation(config.chunks().window());
      case IGT -> new IgtAllocation(config.shifts(), due);
      case MARGINAL, LRU, PINNED, NONE -> new MarginalAllocation();
    };
  }

  /** Returns what divides the capacity, leaving aside that bytes move in rounds. */
  Allocator allocator() {
    return allocator;
  }

  /**
   * Returns the next step.
   *
   * @param before the moves so far
   */
  Divided divide(
      List<Allocator.Claimant> claimants, CacheBudget budget, AllocationMoves before, long now) {
    if (config.kind() == PlannerKind.IGT) {
      return inRounds(claimants, budget, before, now);
    }
    Map<Tenant, Allocator.Share> shares = allocator.divide(claimants, budget);
    return new Divided(
        shares,
        allocator.policy().isAllOrNothing()
            ? AllocationMoves.atOnce(shares, now)
            : before.toward(claimants, shares, budget, now));
  }

  /** Moves bytes in rounds; the first begins when somebody reads. */
  private Divided inRounds(
      List<Allocator.Claimant> claimants, CacheBudget budget, AllocationMoves before, long now) {
    boolean begins = before.granted().isEmpty();
    boolean due = !begins && now - before.at() >= config.shifts().every().toNanos();
    Map<Tenant, Allocator.Share> shares =
        new Allocator(policy(config, due)).divide(claimants, budget);
    return new Divided(shares, AllocationMoves.atOnce(shares, due || begins ? now : before.at()));
  }
}
