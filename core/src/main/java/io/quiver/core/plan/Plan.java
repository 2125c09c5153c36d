package io.quiver.core.plan;

import io.quiver.core.order.RingRole;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the whole cluster should do: the latest one counts. Holds beside what others are told what
 * the next plan needs to follow from it.
 */
public final class Plan {
  private final long version;
  private final List<ClusterMember> members;
  private final SortedMap<DatasetKey, DatasetState> datasets;
  private final Map<String, RingRole> ringRoles;
  private final List<String> leftAlone;
  private final Caching caching;
  private final PlanMemory memory;

  Plan(
      long version,
      List<ClusterMember> members,
      SortedMap<DatasetKey, DatasetState> datasets,
      Map<String, RingRole> ringRoles,
      List<String> leftAlone,
      Caching caching,
      PlanMemory memory) {
    this.version = version;
    this.members = List.copyOf(members);
    this.datasets = Collections.unmodifiableSortedMap(datasets);
    this.ringRoles = Collections.unmodifiableMap(ringRoles);
    this.leftAlone = List.copyOf(leftAlone);
    this.caching = caching;
    this.memory = memory;
  }

  /**
   * The plan of a manager that has just started.
   *
   * @param version larger than any version before: milliseconds since 1970 serve
   */
  public static Plan empty(long version) {
    return unplanned(version, List.of(), Caching.PLANNED);
  }

  /** A plan that holds nothing. */
  static Plan unplanned(long version, List<ClusterMember> members, Caching caching) {
    return new Plan(
        version, members, new TreeMap<>(), Map.of(), List.of(), caching, PlanMemory.NONE);
  }

  /** The same with another version. */
  Plan at(long other) {
    return new Plan(other, members, datasets, ringRoles, leftAlone, caching, memory);
  }

  /** Which plan this is; later ones have larger versions. */
  public long version() {
    return version;
  }

  /** The cache servers. */
  public List<ClusterMember> members() {
    return members;
  }

  /** What is held of each data set. */
  public List<DatasetPlan> datasets() {
    return datasets.values().stream().map(DatasetState::shown).toList();
  }

  /** Whether it says anything about a data set. */
  public boolean knows(DatasetKey dataset) {
    return datasets.containsKey(dataset);
  }

  /** How much of a data set is in the cache. */
  FillState holding(DatasetKey dataset) {
    @Nullable DatasetState state = datasets.get(dataset);
    return state == null ? FillState.NOTHING : state.holding();
  }

  /** What jobs do with the cache. */
  public Caching caching() {
    return caching;
  }

  /** How a job treats rotating chunks. */
  public RingRole ringRole(String job) {
    return ringRoles.getOrDefault(job, RingRole.LEADER);
  }

  /** A job's part. */
  public JobPlan forJob(JobReport job) {
    return forJob(job.job(), job.dataset(), job.traits().store());
  }

  /** The part of a job that says nothing of itself but what it reads. */
  public JobPlan forJob(String job, DatasetKey dataset) {
    return forJob(job, dataset, JobTraits.UNKNOWN.store());
  }

  private JobPlan forJob(String job, DatasetKey dataset, String store) {
    @Nullable DatasetState state = datasets.get(dataset);
    return new JobPlan(
        version,
        members,
        state == null ? null : state.shown(),
        ringRole(job),
        caching,
        memory.probes().of(job, store));
  }

  /** Every server's part: all have the same spaces, each with its share of the blobs. */
  public ServerPlan forServers() {
    Stream<String> spaces =
        datasets.values().stream()
            .flatMap(state ->
                state.plannedChunks().stream()
                    .map(planned -> state.dataset().space(state.chunks(), planned.chunk()).name()));
    return new ServerPlan(
        version, DatasetKey.SPACE_PREFIX, Stream.concat(spaces, leftAlone.stream()).toList());
  }

  PlanMemory memory() {
    return memory;
  }

  SortedMap<DatasetKey, DatasetState> states() {
    return datasets;
  }

  Map<String, RingRole> ringRoles() {
    return ringRoles;
  }

  /** Whether nobody would see a difference, leaving aside the version. */
  boolean looksLike(Plan other) {
    return members.equals(other.members)
        && ringRoles.equals(other.ringRoles)
        && leftAlone.equals(other.leftAlone)
        && caching == other.caching
        && memory.probes().running().equals(other.memory.probes().running())
        && datasets.size() == other.datasets.size()
        && datasets.entrySet().stream().allMatch(each -> looksLike(each, other));
  }

  private static boolean looksLike(Map.Entry<DatasetKey, DatasetState> mine, Plan other) {
    @Nullable DatasetState theirs = other.datasets.get(mine.getKey());
    return theirs != null && mine.getValue().looksLike(theirs);
  }
}
