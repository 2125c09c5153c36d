package io.quiver.core.plan;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.review.PlanReview;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Doors with streams, jobs and one server that report to a planner once a second. */
final class StreamCluster {
  static final long MB = 1_000_000;
  static final int ITEMS = 10_000;
  private static final long SECOND = 1_000_000_000L;

  private final Planner planner;
  final long capacity;
  private final Map<String, List<StreamSummary>> doors = new TreeMap<>();
  private final Map<String, String> users = new HashMap<>();
  private final Map<String, Long> lastReports = new HashMap<>();
  private final Map<String, JobReport> jobs = new TreeMap<>();
  final Map<String, Long> onServer = new HashMap<>();
  final Map<String, KeeperCounts> keepers = new HashMap<>();
  CachePreferences preferences = CachePreferences.NONE;
  Plan plan = Plan.empty(1);
  long now = 1000 * SECOND;

  StreamCluster(long capacity) {
    this(PlannerKind.MARGINAL, capacity);
  }

  StreamCluster(PlannerKind kind, long capacity) {
    this.planner = new Planner(PlannerConfig.of(kind));
    this.capacity = capacity;
  }

  /** A stream as a door tells of it. */
  record Seen(
      int number,
      AccessPattern pattern,
      long bytes,
      double reads,
      double storeShare,
      double idle,
      int readers,
      long follow,
      String label,
      @Nullable String dataset) {
    static final double QUIET = 20;
    static final double LEASE = 80;
    private static final long BLOCK = 100_000;

    static Seen of(int number, AccessPattern pattern, long bytes, double reads) {
      return new Seen(number, pattern, bytes, reads, 0.9, 0, 1, 0, "s3://b/" + number, null);
    }

    static Seen random(int number, long bytes, double reads) {
      return of(number, AccessPattern.RANDOM, bytes, reads);
    }

    static Seen skewed(int number, long bytes, double reads) {
      return of(number, AccessPattern.SKEWED, bytes, reads);
    }

    static Seen sequential(int number, long bytes, double reads) {
      return of(number, AccessPattern.SEQUENTIAL, bytes, reads);
    }

    Seen as(AccessPattern other) {
      return new Seen(
          number, other, bytes, reads, storeShare, idle, readers, follow, label, dataset);
    }

    Seen reading(double rate) {
      return new Seen(
          number, pattern, bytes, rate, storeShare, idle, readers, follow, label, dataset);
    }

    Seen store(double share) {
      return new Seen(number, pattern, bytes, reads, share, idle, readers, follow, label, dataset);
    }

    Seen idle(double seconds) {
      return new Seen(
          number, pattern, bytes, reads, storeShare, seconds, readers, follow, label, dataset);
    }

    Seen following(int many, long behind) {
      return new Seen(
          number, pattern, bytes, reads, storeShare, idle, many, behind, label, dataset);
    }

    Seen ofDataset(DatasetKey key) {
      return new Seen(
          number, pattern, bytes, reads, storeShare, idle, readers, follow, label, key.text());
    }

    String key() {
      return StreamCluster.key(number);
    }

    StreamSummary summary() {
      return new StreamSummary(
          key(),
          label,
          new Recognition(pattern, Evidence.MERGED, 0.1, 0.2, 100),
          5,
          Math.max(1, bytes / BLOCK),
          bytes,
          readers,
          reads,
          storeShare,
          0.001,
          0.030,
          idle,
          LEASE,
          QUIET,
          follow,
          0,
          0,
          null,
          dataset);
    }
  }

  static String key(int number) {
    return String.format(Locale.ROOT, "%032x", 0xabc000 + number);
  }

  /** Has a door tell of these streams from now on, in place of those before. */
  StreamCluster door(String name, Seen... streams) {
    return door(name, Arrays.stream(streams).map(Seen::summary).toList());
  }

  StreamCluster door(String name, List<StreamSummary> streams) {
    doors.put(name, streams);
    return this;
  }

  StreamCluster user(String door, String user) {
    users.put(door, user);
    return this;
  }

  /** Has a door report no more; the manager does not know yet whether it is dead. */
  StreamCluster silence(String door) {
    lastReports.put(door, now);
    return this;
  }

  StreamCluster without(String door) {
    doors.remove(door);
    return this;
  }

  static DatasetKey dataset(int number) {
    return new DatasetKey(String.format(Locale.ROOT, "%016x", number));
  }

  /** Has a job read a data set on eight GPUs; with everything cached it is so much faster. */
  StreamCluster job(String name, int dataset, long bytes, double benefit) {
    return job(name, builder(name, dataset, bytes, benefit));
  }

  static JobReport.Builder builder(String name, int dataset, long bytes, double benefit) {
    return JobReport.of(name, name, dataset(dataset), ITEMS, bytes, 10)
        .times(0.001, 0)
        .traits(new JobTraits("", 8, ""))
        .speeds(Cluster.speeds(0.001, benefit * 0.001));
  }

  StreamCluster job(String name, JobReport.Builder report) {
    jobs.put(name, report.build());
    return this;
  }

  StreamCluster leave(String job) {
    jobs.remove(job);
    return this;
  }

  Observations seen() {
    List<Observed<JobReport>> reports = new ArrayList<>();
    jobs.values().forEach(each -> reports.add(new Observed<>(each, now)));
    // The server has more than the plan may fill, so that no margin blurs how that is divided.
    ServerReport server =
        new ServerReport("s", "i", "http://s", 2 * capacity, onServer, 0, false, keepers);
    List<Observed<DoorReport>> told = new ArrayList<>();
    doors.forEach((name, streams) -> {
      String user = users.getOrDefault(name, "");
      DoorReport report = new DoorReport(name, name, now, user, 0, 0, 0, 0, 0, 0, false);
      long at = lastReports.getOrDefault(name, now);
      told.add(new Observed<>(report.withStreams(streams), at));
    });
    return new Observations(reports, List.of(new Observed<>(server, now)), now, preferences, told);
  }

  StreamCluster step() {
    now += SECOND;
    plan = planner.next(plan, seen(), capacity);
    return this;
  }

  StreamCluster steps(int count) {
    for (int i = 0; i < count; i++) {
      step();
    }
    return this;
  }

  /** Plans for so long that every pattern counts and every move has been made. */
  StreamCluster settle() {
    return steps(20);
  }

  /** Forgets all but what servers hold, as a manager does that has just started. */
  StreamCluster restart() {
    plan = Plan.empty(plan.version() + 1000);
    return this;
  }

  PlanReview review() {
    return new PlanReview(planner, plan, seen(), capacity);
  }

  @Nullable StreamOrder order(int stream) {
    return plan.streams().get(key(stream));
  }

  /** Returns the bytes on disk that a stream has; 0 without a space. */
  long disk(int stream) {
    StreamOrder order = order(stream);
    return order == null ? 0 : order.diskBytes();
  }

  @Nullable AccessPattern pattern(int stream) {
    StreamOrder order = order(stream);
    return order == null ? null : order.pattern();
  }

  @Nullable StreamVerdict verdict(int stream) {
    return plan.forDoors().streams().stream()
        .filter(each -> each.key().equals(key(stream)))
        .findFirst()
        .orElse(null);
  }

  /** Returns the bytes of chunks that the plan holds of a data set. */
  long chunks(int dataset) {
    DatasetPlan held = plan.forJob("any", dataset(dataset)).dataset();
    return held == null
        ? 0
        : Math.round((double) held.bytes() * held.held().size() / held.chunks());
  }

  /** Returns the bytes on disk of all spaces of the plan together. */
  long planned() {
    SpaceOrder scores = plan.scores();
    return FoundSpaces.listed(plan.states())
        + StreamTenants.bytes(plan.streams())
        + DoorSpaces.bytes(plan.doors())
        + RankedSpaces.bytes(plan.ranked())
        + (scores == null ? 0 : scores.quotaBytes());
  }

  /** Returns how many spaces of streams the plan orders. */
  long spaces() {
    return plan.forServers().spaces().stream()
        .filter(each -> StreamSpaceName.key(each.name().name()) != null)
        .count();
  }

  /** Returns counts of a keeper that holds these bytes, and whose ghosts gain evenly. */
  static KeeperCounts counts(KeeperKind keeper, long disk, double misses, double ghostShare) {
    long used = (long) (disk * keeper.filledShare());
    return new KeeperCounts(used, misses, Collections.nCopies(8, misses * ghostShare / 8));
  }
}
