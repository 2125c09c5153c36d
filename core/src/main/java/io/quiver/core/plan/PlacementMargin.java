package io.quiver.core.plan;

import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Computes the share of the servers' capacity that a plan may fill. A plan counts average chunks,
 * but items differ in length, some chunks have an item more, and blobs fall to servers by their
 * hashes. A plan that filled everything would have the fullest server refuse inserts: every job
 * would fetch those items by itself, and the ring would wait for chunks that never become whole.
 */
final class PlacementMargin {
  /** The bytes of a server exceed what is planned by so many standard deviations, seldom more. */
  private static final double DEVIATIONS = 3;

  /** The standard deviation of an item's length, as a share of the mean: usual for images. */
  private static final double SPREAD = 0.5;

  /** Chunks differ by a stripe unit, of which a chunk usually has at least 128. */
  private static final double LEAST = 1.0 / 256;

  private static final double MOST = 0.5;

  private PlacementMargin() {}

  /** Returns the bytes that fit, whichever server they fall to. */
  static long usable(List<Observed<ServerReport>> servers, List<Observed<JobReport>> jobs) {
    double offered = servers.stream().mapToLong(each -> each.report().usableBytes()).sum();
    double bytes = 0;
    double items = 0;
    Set<DatasetKey> datasets = new HashSet<>();
    for (Observed<JobReport> job : jobs) {
      if (datasets.add(job.report().dataset())) {
        bytes += job.report().bytes();
        items += job.report().items();
      }
    }
    boolean allFits = servers.size() < 2 && bytes <= offered;
    if (bytes == 0 || allFits) {
      return (long) offered;
    }
    double blobs = Math.max(1, offered * items / bytes);
    double lengths = SPREAD * SPREAD * Math.max(0, 1 - offered / bytes) / blobs;
    return (long) Math.min(offered, fitting(servers, lengths, 1.0 / SlotTable.SLOTS + 1 / blobs));
  }

  /**
   * Returns the bytes of which every server can hold the share that falls to it. Servers that
   * together own next to nothing do not count: a tiny one must not hold back a large cluster.
   *
   * @param lengths the variance of what is planned, relative to its square
   * @param places the variance of the share of a server that owns half of the slots
   */
  private static double fitting(
      List<Observed<ServerReport>> servers, double lengths, double places) {
    double allWeights = servers.stream().mapToDouble(PlacementMargin::weight).sum();
    List<ServerLimit> limits = new ArrayList<>();
    for (Observed<ServerReport> server : servers) {
      double share = weight(server) / allWeights;
      double deviation = Math.sqrt(lengths + (1 - share) / share * places);
      double margin = Math.clamp(DEVIATIONS * deviation, LEAST, MOST);
      limits.add(new ServerLimit(share, server.report().usableBytes() / share * (1 - margin)));
    }
    limits.sort(Comparator.comparingDouble(ServerLimit::bytes));
    double passed = 0;
    for (ServerLimit limit : limits) {
      passed += limit.share;
      if (passed > LEAST) {
        return limit.bytes;
      }
    }
    return 0;
  }

  private static double weight(Observed<ServerReport> server) {
    return ClusterMember.of(server.report()).weight();
  }

  /** The bytes that all servers may hold so that this one, by its share of slots, fits its own. */
  private record ServerLimit(double share, double bytes) {}
}
