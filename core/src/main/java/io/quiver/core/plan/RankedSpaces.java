package io.quiver.core.plan;

import io.quiver.core.importance.ListCurve;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.AllocationMoves;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.Demand;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.allocate.Tenant.ImportanceKey;
import io.quiver.core.plan.allocate.UnreadCurve;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.SpaceSizes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Plans the spaces of data sets that jobs read by importance: one for each, ranked by the
 * priorities of its jobs. A tenant is given bytes on disk; the space keeps a share of them filled,
 * because its victims lie scattered.
 */
final class RankedSpaces {
  private static final KeeperKind KEEPER = KeeperKind.RANKED;

  private final SortedMap<DatasetKey, SpaceOrder> before;
  private final Map<DatasetKey, Long> found;

  /**
   * Goes on from the orders of the plan before.
   *
   * @param seen servers tell what they hold from before this manager's time
   */
  RankedSpaces(SortedMap<DatasetKey, SpaceOrder> before, Observations seen) {
    this.before = before;
    this.found = found(seen);
  }

  private static Map<DatasetKey, Long> found(Observations seen) {
    Map<DatasetKey, Long> bytes = new HashMap<>();
    for (Observed<ServerReport> server : seen.servers()) {
      SpaceSizes sizes = server.report().spaceSizes();
      sizes
          .names()
          .ranked()
          .forEach(place ->
              DatasetKey.parseRanked(sizes.names().name(place))
                  .filter(key -> seen.preferences().of(key) != CachePreference.NEVER)
                  .ifPresent(key -> bytes.merge(key, sizes.bytes(place), Long::sum)));
    }
    return bytes;
  }

  /** Returns the demand of jobs that read a data set by importance, in bytes on disk. */
  static Demand demand(
      DatasetKey dataset, List<Observed<JobReport>> reports, List<JobSpeed> speeds) {
    List<List<Double>> curves = reports.stream().map(each -> each.report().unread()).toList();
    long bytes = onDisk(reports.getFirst().report().bytes());
    return Demand.of(new ImportanceKey(dataset), bytes, UnreadCurve.mean(curves), speeds);
  }

  private static long onDisk(long kept) {
    return (long) Math.ceil(kept / KEEPER.filledShare());
  }

  /**
   * Returns the bytes that jobs get until they are measured: a step, or what is there from before
   * this manager's time.
   */
  long trial(DatasetKey dataset, Demand demand) {
    long held = before.containsKey(dataset) ? 0 : onDisk(found.getOrDefault(dataset, 0L));
    return Math.max(demand.bytes() / ListCurve.STEPS, held);
  }

  /** Returns the orders of spaces that jobs read, each with the bytes it is given. */
  static SortedMap<DatasetKey, SpaceOrder> read(
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs, AllocationMoves moves) {
    SortedMap<DatasetKey, SpaceOrder> orders = new TreeMap<>();
    jobs.forEach((key, reports) -> {
      long kept = (long) (moves.bytes(new ImportanceKey(key)) * KEEPER.filledShare());
      List<String> names =
          reports.stream().map(each -> each.report().job()).limit(SpaceOrder.MAX_JOBS).toList();
      if (kept > 0) {
        orders.put(key, new SpaceOrder(key.rankedSpace(), KEEPER, kept, names));
      }
    });
    return orders;
  }

  /** Returns the bytes on disk of these orders. */
  static long bytes(SortedMap<DatasetKey, SpaceOrder> orders) {
    return orders.values().stream().mapToLong(order -> onDisk(order.quotaBytes())).sum();
  }

  /**
   * Adds spaces that nobody reads any more, as far as there are bytes that nobody needs; returns
   * the bytes on disk that they take.
   */
  long addIdle(SortedMap<DatasetKey, SpaceOrder> orders, long left) {
    SortedMap<DatasetKey, Long> idle = new TreeMap<>(found);
    before.forEach((key, order) -> idle.put(key, order.quotaBytes()));
    idle.keySet().removeAll(orders.keySet());
    long rest = left;
    for (Map.Entry<DatasetKey, Long> each : idle.entrySet()) {
      long disk = Math.min(onDisk(each.getValue()), rest);
      long kept = Math.min(each.getValue(), (long) (disk * KEEPER.filledShare()));
      if (kept > 0) {
        rest -= disk;
        orders.put(each.getKey(), new SpaceOrder(each.getKey().rankedSpace(), KEEPER, kept));
      }
    }
    return left - rest;
  }
}
