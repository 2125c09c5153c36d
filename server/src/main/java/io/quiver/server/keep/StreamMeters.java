package io.quiver.server.keep;

import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.KeeperMeter;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.space.SpaceId;
import io.quiver.server.metrics.KeeperMetric.SpaceReport;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells the manager what the keepers of access streams have missed lately. */
public final class StreamMeters {
  // Guarded by this.
  private final Map<SpaceId, Metered> meters = new HashMap<>();

  /** The meter of a keeper; another policy is another keeper, whose counts begin anew. */
  private record Metered(KeeperKind kind, KeeperMeter meter) {}

  /** Returns the counts of the keepers of streams' spaces, by the spaces' names. */
  public synchronized Map<String, KeeperCounts> counts(List<SpaceReport> reports, long now) {
    Map<String, KeeperCounts> counts = new HashMap<>();
    Set<SpaceId> present = new HashSet<>();
    for (SpaceReport each : reports) {
      if (StreamSpaceName.key(each.space().name()) != null && present.size() < StreamTenants.MOST) {
        Keeper.Report report = each.report();
        Metered metered = meters.get(each.space());
        if (metered == null || metered.kind != each.kind()) {
          metered = new Metered(each.kind(), new KeeperMeter(report, now));
          meters.put(each.space(), metered);
        }
        counts.put(each.space().name(), metered.meter.count(report, now));
        present.add(each.space());
      }
    }
    meters.keySet().retainAll(present);
    return counts;
  }
}
