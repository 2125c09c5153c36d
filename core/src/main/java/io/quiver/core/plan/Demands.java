package io.quiver.core.plan;

import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.CacheBudget;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.Demand;
import io.quiver.core.plan.allocate.EqualAllocation;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.allocate.UnreadCurve;
import io.quiver.core.plan.chunk.ChunkRules;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.probe.MeasuredJob;
import io.quiver.core.plan.probe.ProbeBook;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.plan.stream.TrackedStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** States the demands of the data sets that are read, from their jobs' reports and preferences. */
public final class Demands {
  private final ChunkRules rules;
  private final CachePreferences preferences;
  private final Plan.Memory memory;
  private final ProbeBook probes;
  private final Set<String> gaining = new HashSet<>();

  /**
   * Makes the demands of the moment.
   *
   * @param memory what is remembered from before
   * @param probes what is known of how fast jobs read the store
   */
  Demands(ChunkRules rules, CachePreferences preferences, Plan.Memory memory, ProbeBook probes) {
    this.probes = probes;
    this.rules = rules;
    this.preferences = preferences;
    this.memory = memory;
  }

  /** Returns the data sets that jobs or streams read, in the order of their keys. */
  List<Allocator.Claimant> of(
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs,
      Map<DatasetKey, DatasetState> states,
      StreamTenants streams) {
    Set<DatasetKey> read = new TreeSet<>(jobs.keySet());
    read.addAll(streams.datasets());
    List<Allocator.Claimant> claimants = new ArrayList<>();
    for (DatasetKey key : read) {
      DatasetState state = states.get(key);
      if (state != null) {
        claimants.add(claimant(state, jobs.getOrDefault(key, List.of()), streams.readers(key)));
      }
    }
    return claimants;
  }

  /** Returns the jobs that gain from the cache, of those asked about so far. */
  Set<String> gaining() {
    return gaining;
  }

  private Allocator.Claimant claimant(
      DatasetState state, List<Observed<JobReport>> reports, List<TrackedStream> streams) {
    List<JobSpeed> speeds = new ArrayList<>();
    int readers = 0;
    double pinnedShare = state.pinnedShare();
    for (Observed<JobReport> each : reports) {
      readers += each.report().warming() ? 0 : 1;
      speed(each.report(), pinnedShare).ifPresent(speeds::add);
    }
    Demand demand =
        Demand.ring(
            state.dataset(), state.bytes(), state.chunks(), rules.window(), readers, speeds);
    List<String> users = new ArrayList<>();
    reports.forEach(each -> users.add(each.report().traits().user()));
    streams.forEach(each -> users.addAll(each.stream().users()));
    double itemBytes = (double) state.bytes() / Math.max(1, state.items());
    double rate = rate(demand, itemBytes);
    List<JobSpeed> programs = new ArrayList<>();
    for (TrackedStream each : streams) {
      each.speed().ifPresent(programs::add);
      rate += each.bytesPerSecond();
    }
    Demand bound =
        bound(demand.joinedBy(programs), state.dataset(), users, preferences).reading(rate);
    long window = demand.bytes(Math.min(rules.window(), state.chunks()));
    return claimant(bound, readers + streams.size(), window);
  }

  /** Returns the bytes that measured jobs read in a second with what they have. */
  private double rate(Demand demand, double itemBytes) {
    int held = demand.steps(memory.share(demand.tenant()).bytes());
    return demand.jobs().stream()
        .mapToDouble(job -> itemBytes / demand.itemSeconds(job, held))
        .sum();
  }

  private Allocator.Claimant claimant(Demand demand, int readers, long least) {
    List<JobSpeed> speeds = demand.jobs();
    boolean gains = speeds.stream().anyMatch(JobSpeed::gains);
    boolean measured = !speeds.isEmpty() && (gains || speeds.size() == readers);
    long trial = Math.max(least, Math.min(demand.floor(), demand.bytes()));
    return new Allocator.Claimant(demand, measured, trial, memory.share(demand.tenant()));
  }

  /**
   * Returns the doors, who are one; empty where there is none.
   *
   * @param capacity the bytes that are divided
   */
  Optional<Allocator.Claimant> ofDoors(DoorSpaces doors, long capacity) {
    if (!doors.areRead()) {
      return Optional.empty();
    }
    Demand demand = doors.demand(capacity).paidBy(payer(doors.users(), preferences.userQuotas()));
    long trial = Math.max(doors.trial(demand), demand.floor());
    return Optional.of(
        new Allocator.Claimant(demand, doors.measured(), trial, memory.share(demand.tenant())));
  }

  /** Returns the streams that ask for bytes. */
  List<Allocator.Claimant> ofStreams(StreamTenants streams, long capacity) {
    return streams.claimants(capacity, memory::share, this::payer);
  }

  /** Returns the user on whose quota these share; empty when some have none. */
  String payer(List<String> users) {
    return payer(users, preferences.userQuotas());
  }

  /** Returns all who are read, of the plan that these demands were made for. */
  public List<Allocator.Claimant> all(
      SortedMap<DatasetKey, List<Observed<JobReport>>> readers,
      Plan plan,
      SortedMap<DatasetKey, List<Observed<JobReport>>> ranking,
      Observations seen,
      long capacity) {
    StreamTenants streams = Planner.streams(plan, seen);
    List<Allocator.Claimant> all = new ArrayList<>(of(readers, plan.states(), streams));
    all.addAll(ofRanked(ranking, new RankedSpaces(plan.ranked(), seen)));
    ofDoors(new DoorSpaces(plan.doors(), seen), capacity).ifPresent(all::add);
    all.addAll(ofStreams(streams, capacity));
    return all;
  }

  /** Returns the data sets that are read by importance, in the order of their keys. */
  List<Allocator.Claimant> ofRanked(
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs, RankedSpaces spaces) {
    List<Allocator.Claimant> claimants = new ArrayList<>();
    jobs.forEach((key, reports) -> {
      List<JobSpeed> speeds =
          reports.stream().flatMap(each -> speed(each.report(), 0).stream()).toList();
      Demand unbound = RankedSpaces.demand(key, reports, speeds);
      List<String> users = reports.stream().map(each -> each.report().traits().user()).toList();
      Demand demand = bound(unbound, key, users, preferences);
      JobReport first = reports.getFirst().report();
      double rate = rate(demand, (double) first.bytes() / Math.max(1, first.items()));
      claimants.add(claimant(demand.reading(rate), reports.size(), spaces.trial(key, demand)));
    });
    return claimants;
  }

  /** Returns how fast a job is, as far as that is known. */
  public Optional<JobSpeed> speed(JobReport report, double pinnedShare) {
    Optional<JobSpeed> measured =
        MeasuredJob.speed(report, probes.missSeconds(report.job()), pinnedShare)
            .map(speed -> memory.gaining().contains(speed.job()) ? speed.gainedBefore() : speed);
    measured.filter(JobSpeed::gains).ifPresent(speed -> gaining.add(speed.job()));
    return measured;
  }

  /** Returns a demand within its data set's preference and quota, and on its payer's account. */
  private static Demand bound(
      Demand demand, DatasetKey key, List<String> users, CachePreferences preferences) {
    long floor = preferences.of(key) == CachePreference.PIN ? demand.bytes() : 0;
    return demand
        .within(floor, preferences.most(key))
        .paidBy(payer(users, preferences.userQuotas()));
  }

  /** Returns the user with the largest quota; empty when some have none. */
  private static String payer(List<String> users, Map<String, Long> quotas) {
    if (quotas.isEmpty()) {
      return "";
    }
    String payer = "";
    long largest = -1;
    for (String user : users) {
      Long quota = quotas.get(user);
      if (quota == null) {
        return "";
      }
      if (quota > largest || (quota == largest && user.compareTo(payer) < 0)) {
        payer = user;
        largest = quota;
      }
    }
    return payer;
  }

  /**
   * Returns equal shares by length and quota, for which the number of chunks is chosen: it must not
   * depend on the share that it leads to.
   */
  static Map<DatasetKey, Long> equalShares(
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs,
      CachePreferences preferences,
      long capacity) {
    List<DatasetKey> keys = List.copyOf(jobs.keySet());
    List<Demand> lengths = new ArrayList<>();
    jobs.forEach((key, reports) -> {
      long bytes = reports.getFirst().report().bytes();
      Demand length = Demand.of(key, bytes, UnreadCurve.random(1), List.of());
      List<String> users = reports.stream().map(each -> each.report().traits().user()).toList();
      lengths.add(bound(length, key, users, preferences));
    });
    CacheBudget budget = new CacheBudget(capacity, preferences.userQuotas());
    long[] shares = new EqualAllocation().divide(lengths, budget, new long[0]);
    Map<DatasetKey, Long> byKey = new HashMap<>();
    for (int i = 0; i < shares.length; i++) {
      byKey.put(keys.get(i), shares[i]);
    }
    return byKey;
  }
}
