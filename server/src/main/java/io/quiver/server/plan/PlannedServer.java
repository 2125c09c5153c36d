package io.quiver.server.plan;

import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.report.KeeperCounts;
import java.util.Map;

/** A server that moves toward plans, and tells what plans are made of. */
public interface PlannedServer {
  /** Moves toward a plan. */
  void apply(ServerPlan plan);

  /** Returns the counts of the keepers of streams' spaces, by the spaces' names. */
  default Map<String, KeeperCounts> streamKeepers() {
    return Map.of();
  }
}
