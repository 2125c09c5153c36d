package io.quiver.core.plan;

import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import java.util.List;

/**
 * Computes the share of the servers' capacity that a plan may fill. Blobs fall to servers by their
 * hashes, so that some get more than their share: a plan that filled everything would have the
 * fullest refuse inserts, and every job would fetch those items by itself.
 */
final class PlacementMargin {
  /** A server gets so many standard deviations more than its share, seldom more. */
  private static final double DEVIATIONS = 3;

  private static final double MOST = 0.5;

  private PlacementMargin() {}

  /** Returns the bytes that fit, whichever server they fall to. */
  static long usable(List<Observed<ServerReport>> servers, List<Observed<JobReport>> jobs) {
    long offered = servers.stream().mapToLong(each -> each.report().usableBytes()).sum();
    double bytes = jobs.stream().mapToDouble(each -> each.report().bytes()).sum();
    double items = jobs.stream().mapToDouble(each -> each.report().items()).sum();
    if (servers.size() < 2 || bytes == 0) {
      return offered;
    }
    double blobs = Math.max(1, offered * items / bytes);
    double deviation = Math.sqrt((servers.size() - 1) * (1.0 / SlotTable.SLOTS + 1 / blobs));
    return (long) (offered * (1 - Math.min(MOST, DEVIATIONS * deviation)));
  }
}
