package io.quiver.core.plan;

import io.quiver.core.benefit.CacheBudget;
import io.quiver.core.benefit.DatasetDemand;
import io.quiver.core.benefit.EqualAllocation;
import io.quiver.core.benefit.JobSpeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** What the data sets that are read need, by what their jobs report and what people want. */
final class Demands {
  private final PlannerConfig config;
  private final CachePreferences preferences;
  private final PlanMemory memory;
  private final ProbeBook probes;
  private final Set<String> gaining = new HashSet<>();

  /**
   * Demands of the moment.
   *
   * @param memory what is remembered from before
   * @param probes what is known of how fast jobs read the store
   */
  Demands(PlannerConfig config, CachePreferences preferences, PlanMemory memory, ProbeBook probes) {
    this.probes = probes;
    this.config = config;
    this.preferences = preferences;
    this.memory = memory;
  }

  /** The data sets, in the order of their keys. */
  List<Claimant> of(
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs, Map<DatasetKey, DatasetState> states) {
    List<Claimant> claimants = new ArrayList<>();
    jobs.forEach((key, reports) -> {
      DatasetState state = states.get(key);
      if (state != null) {
        claimants.add(claimant(state, reports));
      }
    });
    return claimants;
  }

  /** The jobs that gain from the cache, of those looked at so far. */
  Set<String> gaining() {
    return gaining;
  }

  private Claimant claimant(DatasetState state, List<Observed<JobReport>> reports) {
    List<JobSpeed> speeds = new ArrayList<>();
    int readers = 0;
    double pinnedShare = state.pinnedShare();
    for (Observed<JobReport> each : reports) {
      readers += each.report().warming() ? 0 : 1;
      speed(each.report(), pinnedShare).ifPresent(speeds::add);
    }
    boolean gains = speeds.stream().anyMatch(JobSpeed::gains);
    boolean measured = !speeds.isEmpty() && (gains || speeds.size() == readers);
    return new Claimant(
        state.dataset(),
        demand(state, reports, readers, speeds),
        measured,
        memory.share(state.dataset()));
  }

  /** How fast a job is, as far as that is known. */
  Optional<JobSpeed> speed(JobReport report, double pinnedShare) {
    Optional<JobSpeed> measured =
        MeasuredJob.speed(report, probes.missSeconds(report.job()), pinnedShare)
            .map(speed -> memory.gaining().contains(speed.job()) ? speed.gainedBefore() : speed);
    measured.filter(JobSpeed::gains).ifPresent(speed -> gaining.add(speed.job()));
    return measured;
  }

  private DatasetDemand demand(
      DatasetState state, List<Observed<JobReport>> reports, int readers, List<JobSpeed> speeds) {
    DatasetKey key = state.dataset();
    return new DatasetDemand(
        state.bytes(),
        state.chunks(),
        config.window(),
        readers,
        preferences.most(key),
        preferences.of(key) == CachePreference.PIN ? state.bytes() : 0,
        payer(reports),
        speeds);
  }

  /** The user with the largest quota; empty when some have none. */
  private String payer(List<Observed<JobReport>> reports) {
    if (preferences.userQuotas().isEmpty()) {
      return "";
    }
    String payer = "";
    long largest = -1;
    for (Observed<JobReport> each : reports) {
      String user = each.report().traits().user();
      Long quota = preferences.userQuotas().get(user);
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
   * Equal shares by length alone: what the number of chunks is chosen for, so that it does not
   * depend on the share it then leads to.
   */
  static Map<DatasetKey, Long> equalShares(
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs, long capacity) {
    List<DatasetKey> keys = List.copyOf(jobs.keySet());
    List<DatasetDemand> lengths =
        jobs.values().stream()
            .map(reports -> DatasetDemand.of(reports.getFirst().report().bytes(), 1, 1, List.of()))
            .toList();
    long[] shares = new EqualAllocation().divide(lengths, CacheBudget.of(capacity), new long[0]);
    Map<DatasetKey, Long> byKey = new HashMap<>();
    for (int i = 0; i < shares.length; i++) {
      byKey.put(keys.get(i), shares[i]);
    }
    return byKey;
  }
}
