package io.quiver.core.plan;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.order.RingRole;
import io.quiver.core.plan.allocate.AllocationMoves;
import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.Tenant;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.probe.ProbeBook;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.space.SpaceId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The target state of the whole cluster; the latest one counts. Beside what others are told, a plan
 * carries what the next one needs to follow from it.
 */
public final class Plan {
  /** Name of the space that takes whatever jobs miss. */
  public static final SpaceId SHARED_SPACE = new SpaceId(DatasetKey.SPACE_PREFIX + "lru");

  /**
   * The part of a plan that only the next plan sees.
   *
   * @param shares the bytes each data set had
   * @param gaining the jobs that gained from the cache
   * @param moves the bytes that are granted on the way to those
   * @param probes who is probed, and what came of it
   */
  record Memory(
      Map<Tenant, Allocator.Share> shares,
      Set<String> gaining,
      AllocationMoves moves,
      ProbeBook probes) {
    static final Memory NONE =
        new Memory(Map.of(), Set.of(), AllocationMoves.NONE, ProbeBook.EMPTY);

    /** Keeps views: nobody changes them, and copies of ten thousand jobs would take time. */
    Memory {
      shares = Collections.unmodifiableMap(shares);
      gaining = Collections.unmodifiableSet(gaining);
    }

    Allocator.Share share(Tenant tenant) {
      return shares.getOrDefault(tenant, Allocator.Share.NOTHING);
    }
  }

  private final long version;
  private final List<ClusterMember> members;
  private final SortedMap<DatasetKey, DatasetState> datasets;
  private final Map<String, RingRole> ringRoles;
  private final List<String> leftAlone;
  private final OtherSpaces spaces;
  private final Memory memory;

  Plan(
      long version,
      List<ClusterMember> members,
      SortedMap<DatasetKey, DatasetState> datasets,
      Map<String, RingRole> ringRoles,
      List<String> leftAlone,
      OtherSpaces spaces,
      Memory memory) {
    this.version = version;
    this.members = List.copyOf(members);
    this.datasets = Collections.unmodifiableSortedMap(datasets);
    this.ringRoles = Collections.unmodifiableMap(ringRoles);
    this.leftAlone = List.copyOf(leftAlone);
    this.spaces = spaces;
    this.memory = memory;
  }

  /**
   * Returns the plan of a manager that has just started.
   *
   * @param version larger than any version before: milliseconds since 1970 serve
   */
  public static Plan empty(long version) {
    return withoutChunks(version, List.of(), null, null);
  }

  /** Makes a plan that holds no chunk: nothing at all, or one space for everything. */
  static Plan withoutChunks(
      long version,
      List<ClusterMember> members,
      @Nullable SpaceOrder shared,
      @Nullable SpaceOrder scores) {
    return new Plan(
        version,
        members,
        new TreeMap<>(),
        Map.of(),
        List.of(),
        OtherSpaces.withoutChunks(shared, scores),
        Memory.NONE);
  }

  /** Returns a copy with another version. */
  Plan at(long other) {
    return new Plan(other, members, datasets, ringRoles, leftAlone, spaces, memory);
  }

  /** Returns a copy that knows nothing of these data sets. */
  public Plan without(Set<DatasetKey> forgotten) {
    SortedMap<DatasetKey, DatasetState> others = new TreeMap<>(datasets);
    others.keySet().removeAll(forgotten);
    return new Plan(
        version, members, others, ringRoles, leftAlone, spaces.without(forgotten), memory);
  }

  /** Returns the version; later plans have larger ones. */
  public long version() {
    return version;
  }

  /** Returns the cache servers. */
  public List<ClusterMember> members() {
    return members;
  }

  /** Returns what is cached of each data set. */
  public List<DatasetPlan> datasets() {
    return datasets.values().stream().map(DatasetState::shown).toList();
  }

  /** Returns true if it says anything about a data set. */
  public boolean knows(DatasetKey dataset) {
    return datasets.containsKey(dataset);
  }

  /** Returns how much of a data set is in the cache. */
  DatasetState.FillState fillState(DatasetKey dataset) {
    @Nullable DatasetState state = datasets.get(dataset);
    return state == null ? DatasetState.FillState.NOTHING : state.fillState();
  }

  /** Returns the order of the space that takes whatever jobs miss; null where there is none. */
  public @Nullable SpaceOrder shared() {
    return spaces.shared();
  }

  /** Returns the order of the space that all doors share; null where there is none. */
  public @Nullable SpaceOrder doors() {
    return spaces.doors();
  }

  /** Returns the decisions about access streams, by hashed name. */
  public SortedMap<String, StreamOrder> streams() {
    return spaces.streams();
  }

  /** Returns the doors' part: the verdicts about streams, and one space for all other reads. */
  public DoorPlan forDoors() {
    @Nullable SpaceOrder order = shared() == null ? doors() : shared();
    return new DoorPlan(
        version,
        members,
        order == null ? null : order.name(),
        streams().values().stream().map(StreamOrder::verdict).toList(),
        readByDoors());
  }

  /** Returns what is held of the data sets that streams read. */
  private List<DatasetPlan> readByDoors() {
    Map<DatasetKey, DatasetPlan> read = new TreeMap<>();
    for (StreamOrder each : streams().values()) {
      @Nullable DatasetKey key = each.dataset();
      @Nullable DatasetState state = key == null ? null : datasets.get(key);
      if (state != null) {
        read.put(state.dataset(), state.shown());
      }
    }
    return List.copyOf(read.values());
  }

  /** Returns the order of the space for columns of scores; null while nobody shares any. */
  public @Nullable SpaceOrder scores() {
    return spaces.scores();
  }

  /** Returns the role of a job or group at the ring. */
  public RingRole ringRole(String job) {
    return ringRoles.getOrDefault(job, RingRole.LEADER);
  }

  /** Returns a job's part; all members of a group have the role and the probe of the group. */
  public JobPlan forJob(JobReport job) {
    return job.readsByImportance() && shared() == null
        ? forImportance(job)
        : forJob(job.group(), job.dataset(), job.traits().store());
  }

  /** Returns the part of a job that ranks what it reads: all of it goes into one space. */
  private JobPlan forImportance(JobReport job) {
    @Nullable SpaceOrder order = ranked().get(job.dataset());
    return new JobPlan(
        version,
        members,
        null,
        RingRole.LEADER,
        order == null ? null : order.name(),
        memory.probes().of(job.group(), job.traits().store()));
  }

  /** Returns the part of a job that says nothing of itself but what it reads. */
  public JobPlan forJob(String job, DatasetKey dataset) {
    return forJob(job, dataset, JobTraits.UNKNOWN.store());
  }

  private JobPlan forJob(String job, DatasetKey dataset, String store) {
    @Nullable DatasetState state = datasets.get(dataset);
    @Nullable SpaceOrder shared = shared();
    return new JobPlan(
        version,
        members,
        state == null ? null : state.shown(),
        ringRole(job),
        shared == null ? null : shared.name(),
        memory.probes().of(job, store));
  }

  /** Returns the servers' part: all have the same spaces, each with its share of the blobs. */
  public ServerPlan forServers() {
    Stream<SpaceId> chunks =
        datasets.values().stream()
            .flatMap(state ->
                state.plannedChunks().stream()
                    .map(planned -> state.dataset().space(state.chunks(), planned.chunk())));
    // Chunks have no quota of their own: which share of one a server owns is chance, and the
    // planner has seen to it that all of them fit.
    Stream<SpaceOrder> fixed =
        Stream.concat(chunks, leftAlone.stream().map(SpaceId::new)).map(SpaceOrder::fixed);
    List<SpaceOrder> orders =
        Stream.concat(spaces.orders(), fixed).limit(ServerPlan.MAX_SPACES).toList();
    return new ServerPlan(version, DatasetKey.SPACE_PREFIX, members, orders);
  }

  Memory memory() {
    return memory;
  }

  /** Returns the bytes that a tenant who is read has of the capacity. */
  public Allocator.Share share(Tenant tenant) {
    return memory.share(tenant);
  }

  /** Returns the orders of spaces that jobs which read by importance rank, by data set. */
  public SortedMap<DatasetKey, SpaceOrder> ranked() {
    return spaces.ranked();
  }

  /** Returns what is known from probes. */
  public ProbeBook probes() {
    return memory.probes();
  }

  /** Returns what the planner remembers of each data set. */
  public SortedMap<DatasetKey, DatasetState> states() {
    return datasets;
  }

  Map<String, RingRole> ringRoles() {
    return ringRoles;
  }

  /** Returns true if nobody would see a difference, leaving aside the version. */
  boolean showsSame(Plan other) {
    return members.equals(other.members)
        && ringRoles.equals(other.ringRoles)
        && leftAlone.equals(other.leftAlone)
        && spaces.showsSame(other.spaces)
        && memory.probes().running().equals(other.memory.probes().running())
        && datasets.size() == other.datasets.size()
        && datasets.entrySet().stream().allMatch(each -> showsSame(each, other));
  }

  private static boolean showsSame(Map.Entry<DatasetKey, DatasetState> mine, Plan other) {
    @Nullable DatasetState theirs = other.datasets.get(mine.getKey());
    return theirs != null && mine.getValue().showsSame(theirs);
  }
}
