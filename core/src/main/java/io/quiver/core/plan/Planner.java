package io.quiver.core.plan;

import io.quiver.core.benefit.CacheBudget;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.order.RingRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** From observations and the plan before to the next plan. Keeps nothing in between. */
public final class Planner {
  private final PlannerConfig config;
  private final RingRoles ringRole;
  private final DatasetPlanner datasets;
  private final Allocator allocator;

  /** A planner that goes by these numbers. */
  public Planner(PlannerConfig config) {
    this.config = config;
    this.ringRole = new RingRoles(config);
    this.datasets = new DatasetPlanner(config);
    this.allocator = new Allocator(config.kind());
  }

  /**
   * The plan that follows; its version is larger only if somebody would see a difference.
   *
   * @param budget most bytes the plan may fill, whatever the servers offer
   */
  public Plan next(Plan before, Observations seen, long budget) {
    long version = Math.max(before.version(), latestVersion(seen));
    Plan next = follow(before, seen, budget, version);
    return next.looksLike(before) && version == before.version() ? next : next.at(version + 1);
  }

  /**
   * Explains a plan that followed from these observations.
   *
   * @param budget most bytes the plan may fill, whatever the servers offer
   */
  public PlanReview review(Plan plan, Observations seen, long budget) {
    return new PlanReview(
        config, plan, seen, Math.min(PlacementMargin.usable(seen.servers(), seen.jobs()), budget));
  }

  private Plan follow(Plan before, Observations seen, long budget, long version) {
    if (!config.kind().plansChunks()) {
      return Plan.withoutChunks(version, members(seen), sharedSpace(seen, budget));
    }
    SortedMap<DatasetKey, List<Observed<JobReport>>> jobs = byDataset(seen.jobs());
    SortedMap<DatasetKey, DatasetState> states = new TreeMap<>(before.states());
    IdleDatasets idle = new IdleDatasets(seen.preferences());
    long capacity = Math.min(PlacementMargin.usable(seen.servers(), seen.jobs()), budget);
    long open = Math.max(0, capacity - idle.reserved(states, jobs.keySet()));
    begin(states, jobs, seen, open, version);
    ProbeBook probes =
        ProbeSchedule.next(
            before.memory().probes(), seen.jobs(), before::holding, version, seen.now());
    Demands demands = new Demands(config, seen.preferences(), before.memory(), probes);
    Map<DatasetKey, Share> shares =
        allocator.divide(
            demands.of(jobs, states), new CacheBudget(open, seen.preferences().userQuotas()));
    Map<String, RingRole> ringRoles = new HashMap<>();
    jobs.forEach((key, reports) -> {
      List<Worker> workers = ringRole.judge(reports, before.ringRoles(), probes, seen.now());
      workers.forEach(worker -> ringRoles.put(worker.job(), worker.ringRole()));
      long share = shares.getOrDefault(key, Share.NOTHING).bytes();
      states.computeIfPresent(
          key, (same, state) -> datasets.next(state, workers, share, seen.now()));
    });
    idle.clear(states, jobs.keySet(), capacity);
    List<String> leftAlone = jobs.isEmpty() ? unknownSpaces(states, seen) : List.of();
    return new Plan(
        version,
        members(seen),
        states,
        ringRoles,
        leftAlone,
        null,
        new PlanMemory(shares, demands.gaining(), probes));
  }

  /** Orders one space for everything, if that is the policy. */
  private @Nullable SpaceOrder sharedSpace(Observations seen, long budget) {
    if (config.kind() != PlannerKind.LRU) {
      return null;
    }
    long usable = seen.servers().stream().mapToLong(each -> each.report().usableBytes()).sum();
    long bytes = Math.min(usable, budget);
    return new SpaceOrder(Plan.SHARED_SPACE, KeeperKind.RECENT, bytes);
  }

  /** Divides into chunks what is new, and what is not held anyway. */
  private void begin(
      SortedMap<DatasetKey, DatasetState> states,
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs,
      Observations seen,
      long capacity,
      long version) {
    Map<DatasetKey, Long> equal = Demands.equalShares(jobs, capacity);
    jobs.forEach((key, reports) -> {
      long share = equal.getOrDefault(key, 0L);
      @Nullable DatasetState known = states.get(key);
      if (known == null) {
        states.put(key, Adoption.adopt(config, reports, seen, share, version));
      } else if (known.plannedChunks().isEmpty()) {
        int chunks = ChunkCount.choose(config, reports, share);
        states.put(key, chunks == known.chunks() ? known : known.divided(chunks));
      }
    });
  }

  private static long latestVersion(Observations seen) {
    return LongStream.concat(
            seen.jobs().stream().mapToLong(job -> job.report().planVersion()),
            seen.servers().stream().mapToLong(server -> server.report().planVersion()))
        .max()
        .orElse(0);
  }

  static SortedMap<DatasetKey, List<Observed<JobReport>>> byDataset(
      List<Observed<JobReport>> jobs) {
    Map<DatasetKey, List<Observed<JobReport>>> grouped = new HashMap<>();
    for (Observed<JobReport> job : jobs) {
      grouped.computeIfAbsent(job.report().dataset(), any -> new ArrayList<>()).add(job);
    }
    grouped.values().forEach(group -> group.sort(Comparator.comparing(job -> job.report().job())));
    return new TreeMap<>(grouped);
  }

  private static List<ClusterMember> members(Observations seen) {
    double total = seen.servers().stream().mapToLong(each -> each.report().usableBytes()).sum();
    return seen.servers().stream()
        .map(Observed::report)
        .sorted(Comparator.comparing(ServerReport::server))
        .map(each ->
            new ClusterMember(
                each.server(),
                each.uri(),
                total == 0 ? 1 : Math.max(each.usableBytes() / total, 1e-6)))
        .toList();
  }

  /** What servers hold from before this manager's time stays until somebody needs the bytes. */
  private static List<String> unknownSpaces(
      SortedMap<DatasetKey, DatasetState> states, Observations seen) {
    return seen.servers().stream()
        .flatMap(server -> server.report().spaces().stream())
        .filter(name ->
            DatasetKey.parse(name)
                .filter(space -> !states.containsKey(space.dataset()))
                .isPresent())
        .distinct()
        .sorted()
        .toList();
  }
}
