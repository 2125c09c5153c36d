package io.quiver.core.plan;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.order.RingRole;
import io.quiver.core.plan.allocate.AllocationMoves;
import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.CacheBudget;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetPlanner;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.chunk.RingReader;
import io.quiver.core.plan.probe.ProbeBook;
import io.quiver.core.plan.probe.ProbeSchedule;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.stream.ObservedStream;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.plan.stream.StreamTenants;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the next plan from observations and the plan before. Keeps nothing in between. */
public final class Planner {
  private final PlannerConfig config;
  private final RingRoles roles;
  private final DatasetPlanner datasets;
  private final CapacityDivider divider;

  /** Makes a planner that goes by these numbers. */
  public Planner(PlannerConfig config) {
    this.config = config;
    this.roles = new RingRoles(config.leaders());
    this.datasets = new DatasetPlanner(config.chunks());
    this.divider = new CapacityDivider(config);
  }

  /**
   * Returns the plan that follows; its version is larger only if somebody would see a difference.
   *
   * @param budget most bytes the plan may fill, whatever the servers offer
   */
  public Plan next(Plan before, Observations seen, long budget) {
    long version = Math.max(before.version(), latestVersion(seen));
    @Nullable SpaceOrder scores =
        config.kind() == PlannerKind.NONE
            ? null
            : ScoreSpace.order(seen, () -> capacity(seen, budget));
    Plan next = follow(before, seen.grouped(), budget, scores, version);
    return next.showsSame(before) && version == before.version() ? next : next.at(version + 1);
  }

  /** Returns the kind of this planner. */
  public PlannerKind kind() {
    return config.kind();
  }

  /** Returns what divides the capacity. */
  public Allocator allocator() {
    return divider.allocator();
  }

  /** Returns the bytes there are to divide, of which a plan may fill at most a budget. */
  public static long capacity(Observations seen, long budget) {
    return Math.min(PlacementMargin.usable(seen.servers(), seen.jobs()), budget);
  }

  /** Returns the demands that a plan was made for. */
  public Demands demands(Plan plan, Observations seen) {
    return new Demands(config.chunks(), seen.preferences(), plan.memory(), plan.probes());
  }

  private Plan follow(
      Plan before, Observations seen, long budget, @Nullable SpaceOrder scores, long version) {
    long forScores = scores == null ? 0 : scores.quotaBytes();
    if (!config.kind().plansChunks()) {
      return Plan.withoutChunks(version, members(seen), sharedSpace(seen, budget), scores);
    }
    SortedMap<DatasetKey, List<Observed<JobReport>>> jobs = byDataset(seen.jobs(), false);
    SortedMap<DatasetKey, List<Observed<JobReport>>> ranking = byDataset(seen.jobs(), true);
    RankedSpaces ranked = new RankedSpaces(before.ranked(), seen);
    SortedMap<DatasetKey, DatasetState> states = new TreeMap<>(before.states());
    IdleDatasets idle = new IdleDatasets(seen.preferences());
    FoundSpaces found = new FoundSpaces(seen);
    long capacity = capacity(seen, budget) - forScores;
    Set<DatasetKey> known = new HashSet<>(states.keySet());
    known.addAll(jobs.keySet());
    StreamTenants streams = streams(before, seen, known);
    Set<DatasetKey> read = new TreeSet<>(jobs.keySet());
    read.addAll(streams.datasets());
    long open = Math.max(0, capacity - idle.reserved(states, read) - found.pinnedBefore(known));
    begin(states, jobs, seen, open, version);
    ProbeBook probes =
        ProbeSchedule.next(
            before.memory().probes(), seen.jobs(), before::fillState, version, seen.now());
    Demands demands = new Demands(config.chunks(), seen.preferences(), before.memory(), probes);
    DoorSpaces doors = new DoorSpaces(before.doors(), seen);
    List<Allocator.Claimant> claimants = new ArrayList<>(demands.of(jobs, states, streams));
    claimants.addAll(demands.ofRanked(ranking, ranked));
    Optional<Allocator.Claimant> reading = demands.ofDoors(doors, open);
    reading.ifPresent(claimants::add);
    claimants.addAll(demands.ofStreams(streams, open));
    CacheBudget divided = new CacheBudget(open, seen.preferences().userQuotas());
    CapacityDivider.Divided next =
        divider.divide(claimants, divided, before.memory().moves(), seen.now());
    AllocationMoves moves = next.moves();
    Map<String, RingRole> ringRoles = new HashMap<>();
    for (DatasetKey key : read) {
      List<RingReader> readers =
          roles.judge(jobs.getOrDefault(key, List.of()), before.ringRoles(), probes, seen.now());
      readers.forEach(reader -> ringRoles.put(reader.job(), reader.role()));
      long share = moves.bytes(key);
      states.computeIfPresent(
          key,
          (same, state) ->
              datasets.next(
                  state,
                  readers.isEmpty()
                      ? List.of(RingReader.ofDoors(found.wholeChunks(state)))
                      : readers,
                  share,
                  seen.now()));
    }
    SortedMap<DatasetKey, SpaceOrder> orders = RankedSpaces.read(ranking, moves);
    long forDoors = moves.bytes(DoorSpaces.TENANT);
    SortedMap<String, StreamOrder> streamOrders = streams.orders(moves, capacity);
    long others = RankedSpaces.bytes(orders) + forDoors + StreamTenants.bytes(streamOrders);
    long forChunks = Math.max(0, capacity - others);
    idle.clear(states, read, forChunks);
    SortedMap<String, Long> leftAlone = found.leftAlone(states, forChunks);
    long left =
        forChunks
            - FoundSpaces.listed(states)
            - leftAlone.values().stream().mapToLong(bytes -> bytes).sum();
    left -= ranked.addIdle(orders, left);
    left -= streams.keepIdle(streamOrders, left, capacity);
    streams.lend(streamOrders, capacity, demands::payer);
    boolean onAccount = reading.filter(each -> !each.demand().payer().isEmpty()).isPresent();
    return new Plan(
        version,
        members(seen),
        states,
        ringRoles,
        List.copyOf(leftAlone.keySet()),
        new OtherSpaces(
            null,
            doors.order(forDoors, onAccount ? 0 : left, capacity),
            scores,
            orders,
            streamOrders),
        new Plan.Memory(next.shares(), demands.gaining(), moves, probes));
  }

  /**
   * Returns the streams that doors report, as tenants who go on from a plan.
   *
   * @param known the data sets that are planned for
   */
  private static StreamTenants streams(Plan before, Observations seen, Set<DatasetKey> known) {
    FoundSpaces found = new FoundSpaces(seen);
    return new StreamTenants(
        new StreamTenants.Past(before.streams(), found.ofStreams(), found::counts),
        ObservedStream.of(seen.doors(), seen.now()),
        seen.preferences(),
        known::contains,
        seen.now());
  }

  /** Returns the streams of the doors whose reports a plan followed from. */
  public static StreamTenants streams(Plan plan, Observations seen) {
    return streams(plan, seen, plan.states().keySet());
  }

  /** Orders one space for everything, if that is the policy. */
  private @Nullable SpaceOrder sharedSpace(Observations seen, long budget) {
    if (config.kind() == PlannerKind.NONE) {
      return null;
    }
    long usable = seen.servers().stream().mapToLong(each -> each.report().usableBytes()).sum();
    long bytes = Math.min(usable, budget);
    boolean evicts = config.kind() == PlannerKind.LRU;
    KeeperKind keeper = evicts ? KeeperKind.RECENT : KeeperKind.UNIFORM;
    return new SpaceOrder(Plan.SHARED_SPACE, keeper, bytes);
  }

  /** Divides into chunks what is new, and what is not held anyway. */
  private void begin(
      SortedMap<DatasetKey, DatasetState> states,
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs,
      Observations seen,
      long capacity,
      long version) {
    Map<DatasetKey, Long> equal = Demands.equalShares(jobs, seen.preferences(), capacity);
    jobs.forEach((key, reports) -> {
      long share = equal.getOrDefault(key, 0L);
      @Nullable DatasetState known = states.get(key);
      if (known == null) {
        states.put(key, Adoption.adopt(config.chunks(), reports, seen, share, version));
      } else if (known.plannedChunks().isEmpty()) {
        int chunks = Adoption.choose(config.chunks(), reports, share);
        states.put(key, chunks == known.chunks() ? known : known.divided(chunks));
      }
    });
  }

  private static long latestVersion(Observations seen) {
    return Stream.of(
            seen.jobs().stream().mapToLong(job -> job.report().planVersion()),
            seen.servers().stream().mapToLong(server -> server.report().planVersion()),
            seen.doors().stream().mapToLong(door -> door.report().planVersion()))
        .flatMapToLong(versions -> versions)
        .max()
        .orElse(0);
  }

  /**
   * Returns the jobs of each data set, in the order of their names.
   *
   * @param importance whether those that read by importance, or the others
   */
  public static SortedMap<DatasetKey, List<Observed<JobReport>>> byDataset(
      List<Observed<JobReport>> jobs, boolean importance) {
    Map<DatasetKey, List<Observed<JobReport>>> grouped = new HashMap<>();
    for (Observed<JobReport> job : jobs) {
      if (job.report().readsByImportance() == importance) {
        grouped.computeIfAbsent(job.report().dataset(), any -> new ArrayList<>()).add(job);
      }
    }
    grouped.values().forEach(group -> group.sort(Comparator.comparing(job -> job.report().job())));
    return new TreeMap<>(grouped);
  }

  private static List<ClusterMember> members(Observations seen) {
    return seen.servers().stream()
        .map(Observed::report)
        .sorted(Comparator.comparing(ServerReport::server))
        .map(ClusterMember::of)
        .toList();
  }
}
