package io.quiver.server.keep;

import io.quiver.core.keep.Keeper;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.KeeperMeter;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.space.SpaceId;
import io.quiver.server.metrics.KeeperMetric.SpaceReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells the manager what the keepers of access streams have missed lately. */
public final class StreamMeters {
  // Guarded by this.
  private final Map<SpaceId, KeeperMeter> meters = new HashMap<>();

  /** Returns the counts of the keepers of streams' spaces, by the spaces' names. */
  public synchronized Map<String, KeeperCounts> counts(List<SpaceReport> reports, long now) {
    Map<String, KeeperCounts> counts = new HashMap<>();
    Map<SpaceId, KeeperMeter> present = new HashMap<>();
    for (SpaceReport each : reports) {
      if (StreamOrder.key(each.space().name()) != null) {
        Keeper.Report report = each.report();
        KeeperMeter meter =
            meters.computeIfAbsent(each.space(), any -> new KeeperMeter(report, now));
        counts.put(each.space().name(), meter.count(report, now));
        present.put(each.space(), meter);
      }
    }
    meters.keySet().retainAll(present.keySet());
    return counts;
  }
}
