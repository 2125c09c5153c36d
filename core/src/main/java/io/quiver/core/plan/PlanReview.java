package io.quiver.core.plan;

import io.quiver.core.benefit.DatasetDemand;
import io.quiver.core.benefit.JobSpeed;
import io.quiver.core.benefit.Room;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Explains a plan: what is held and why, what it does for each job, what other room would give. */
public final class PlanReview {
  private final PlannerConfig config;
  private final Plan plan;
  private final Observations seen;
  private final long room;
  private final SortedMap<DatasetKey, List<Observed<JobReport>>> jobs;
  private final Demands demands;
  private final Map<DatasetKey, Claimant> claimants = new HashMap<>();

  PlanReview(PlannerConfig config, Plan plan, Observations seen, long room) {
    this.config = config;
    this.plan = plan;
    this.seen = seen;
    this.room = room;
    this.jobs = Planner.byDataset(seen.jobs());
    this.demands = new Demands(config, seen.wishes(), plan.memory(), plan.memory().probes());
    demands.of(jobs, plan.states()).forEach(each -> claimants.put(each.dataset(), each));
  }

  /** How many bytes are divided. */
  public long room() {
    return room;
  }

  /** Who decides. */
  public PlannerKind planner() {
    return config.kind();
  }

  /** What the cache does for each job, by name. */
  public List<JobStanding> jobs() {
    List<JobStanding> standings = new ArrayList<>();
    for (List<Observed<JobReport>> reports : jobs.values()) {
      for (Observed<JobReport> each : reports) {
        JobReport report = each.report();
        boolean probing = plan.forJob(report).probe() != null;
        boolean lent = plan.memory().probes().isLent(report.job());
        standings.add(JobStanding.of(report, speed(report), probing, lent));
      }
    }
    standings.sort(Comparator.comparing(JobStanding::job));
    return standings;
  }

  private Optional<JobSpeed> speed(JobReport report) {
    DatasetState state = plan.states().get(report.dataset());
    return demands.speed(report, state == null ? 0 : state.pinnedShare());
  }

  /** What is held of each data set, and why. */
  public List<DatasetStanding> datasets() {
    return plan.states().values().stream().map(this::standing).toList();
  }

  private DatasetStanding standing(DatasetState state) {
    DatasetKey key = state.dataset();
    int pinned = (int) state.lives().stream().filter(life -> !life.isRotating()).count();
    int loading = (int) state.lives().stream().filter(life -> !life.isWhole()).count();
    @Nullable Claimant claimant = claimants.get(key);
    Share share = claimant == null ? Share.NOTHING : plan.memory().share(key);
    boolean known = claimant != null && claimant.measured();
    return new DatasetStanding(
        key,
        state.bytes(),
        state.chunks(),
        pinned,
        state.lives().size() - pinned,
        loading,
        Math.round(state.lives().size() * state.chunkBytes()),
        share.planned(),
        share.extra(),
        known && claimant != null ? saved(claimant.demand(), share) : null,
        seen.wishes().of(key),
        seen.wishes().datasetQuotas().get(key),
        jobs.getOrDefault(key, List.of()).stream().map(each -> each.report().job()).toList(),
        why(key, claimant, share));
  }

  private static double saved(DatasetDemand demand, Share share) {
    return demand.gpusSaved(demand.chunks(share.bytes()));
  }

  private String why(DatasetKey key, @Nullable Claimant claimant, Share share) {
    return switch (seen.wishes().of(key)) {
      case PIN -> "pinned by hand";
      case NEVER -> "never to be cached, by hand";
      case AUTO ->
          claimant == null ? "nobody reads it; stays while there is room" : why(claimant, share);
    };
  }

  private static String why(Claimant claimant, Share share) {
    DatasetDemand demand = claimant.demand();
    if (!claimant.measured()) {
      return "its jobs are not measured yet: a trial, and its part of what is left";
    }
    if (!demand.gains()) {
      return "its jobs gain nothing: b is below " + JobSpeed.LEAST_BENEFIT;
    }
    return String.format(
        Locale.ROOT,
        "saves the work of %.1f GPUs%s",
        saved(demand, share),
        share.extra() > 0 ? "; part of it only spares the store" : "");
  }

  /** What would be with so many bytes to divide. */
  public WhatIf whatIf(long otherRoom) {
    List<Claimant> all = List.copyOf(claimants.values());
    Map<DatasetKey, Share> then =
        config.kind().caching() == Caching.PLANNED
            ? new Rooms(config.kind()).divide(all, new Room(otherRoom, seen.wishes().userQuotas()))
            : Map.of();
    List<WhatIf.DatasetOutlook> datasets = new ArrayList<>();
    List<WhatIf.JobOutlook> outlooks = new ArrayList<>();
    double savedNow = 0;
    double savedThen = 0;
    for (DatasetKey key : jobs.keySet()) {
      @Nullable Claimant claimant = claimants.get(key);
      if (claimant == null) {
        continue;
      }
      Share now = plan.memory().share(key);
      Share other = then.getOrDefault(key, Share.NOTHING);
      datasets.add(
          new WhatIf.DatasetOutlook(key, claimant.demand().bytes(), now.bytes(), other.bytes()));
      savedNow += saved(claimant.demand(), now);
      savedThen += saved(claimant.demand(), other);
      jobs.get(key)
          .forEach(each -> outlooks.add(outlook(each.report(), claimant.demand(), now, other)));
    }
    return new WhatIf(room, otherRoom, savedNow, savedThen, datasets, outlooks);
  }

  private WhatIf.JobOutlook outlook(JobReport report, DatasetDemand demand, Share now, Share then) {
    Optional<JobSpeed> speed = speed(report);
    if (speed.isEmpty()) {
      return new WhatIf.JobOutlook(report.job(), report.dataset(), false, 0, 0, 1);
    }
    double before = demand.itemSeconds(speed.get(), demand.chunks(now.bytes()));
    double after = demand.itemSeconds(speed.get(), demand.chunks(then.bytes()));
    return new WhatIf.JobOutlook(
        report.job(), report.dataset(), true, before, after, before / after);
  }
}
