package io.quiver.core.plan.review;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.Demands;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.Planner;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.CacheBudget;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.Demand;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.allocate.Tenant;
import io.quiver.core.plan.allocate.Tenant.ImportanceKey;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.report.JobGroups;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.stream.ObservedStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains a plan: what is cached and why, what it gives each job, what other capacity would give.
 */
public final class PlanReview {
  private final Planner planner;
  private final Plan plan;
  private final Observations seen;
  private final long capacity;
  private final Map<Tenant, List<Observed<JobReport>>> jobs = new LinkedHashMap<>();
  private final Map<String, List<String>> members;
  private final Demands demands;
  private final Map<Tenant, Allocator.Claimant> claimants = new HashMap<>();

  /**
   * Explains a plan that followed from these observations.
   *
   * @param budget most bytes the plan may fill, whatever the servers offer
   */
  public PlanReview(Planner planner, Plan plan, Observations seen, long budget) {
    this.planner = planner;
    this.plan = plan;
    this.seen = seen.grouped();
    this.members = JobGroups.members(seen.jobs());
    @Nullable SpaceOrder scores = plan.scores();
    long forScores = scores == null ? 0 : scores.quotaBytes();
    this.capacity = Planner.capacity(seen, budget) - forScores;
    this.demands = planner.demands(plan, seen);
    SortedMap<DatasetKey, List<Observed<JobReport>>> readers =
        Planner.byDataset(this.seen.jobs(), false);
    SortedMap<DatasetKey, List<Observed<JobReport>>> ranking =
        Planner.byDataset(this.seen.jobs(), true);
    jobs.putAll(readers);
    ranking.forEach((key, reports) -> jobs.put(new ImportanceKey(key), reports));
    demands
        .all(readers, plan, ranking, this.seen, capacity)
        .forEach(each -> claimants.put(each.demand().tenant(), each));
  }

  /** Returns the bytes that are divided. */
  public long capacity() {
    return capacity;
  }

  /** Returns the kind of the planner that decided. */
  public PlannerKind planner() {
    return planner.kind();
  }

  /** Returns what the cache does for each job, by name; the processes of a group are one job. */
  public List<JobDiagnosis> jobs() {
    List<JobDiagnosis> diagnoses = new ArrayList<>();
    for (List<Observed<JobReport>> reports : jobs.values()) {
      for (Observed<JobReport> each : reports) {
        JobReport report = each.report();
        boolean probing = plan.forJob(report).probe() != null;
        boolean lent = plan.probes().isLent(report.job());
        List<String> names = members.getOrDefault(report.group(), List.of(report.job()));
        diagnoses.add(JobDiagnosis.of(report, names, speed(report), probing, lent));
      }
    }
    diagnoses.sort(Comparator.comparing(JobDiagnosis::job));
    return diagnoses;
  }

  private Optional<JobSpeed> speed(JobReport report) {
    DatasetState state = plan.states().get(report.dataset());
    return demands.speed(report, state == null ? 0 : state.pinnedShare());
  }

  /** Returns what is cached of each data set, and why. */
  public List<DatasetDiagnosis> datasets() {
    return Stream.concat(
            plan.states().values().stream().map(this::diagnosis),
            plan.ranked().entrySet().stream().map(this::diagnosis))
        .toList();
  }

  /** Returns how each access stream is read, what is cached of it, and why; with all paths. */
  public List<StreamDiagnosis> streams() {
    return streams(each -> each.summary().label());
  }

  /** Returns the streams with the paths that a user's own doors tell. */
  public List<StreamDiagnosis> streamsFor(String user) {
    return streams(each -> each.labelFor(user));
  }

  /** Returns the streams without any path. */
  public List<StreamDiagnosis> streamsWithoutLabels() {
    return streams(each -> "");
  }

  private List<StreamDiagnosis> streams(Function<ObservedStream, String> label) {
    return new StreamReview(plan, seen, claimants, PlanReview::why).streams(label);
  }

  /** Explains what jobs that read by importance keep: single samples, and no chunk. */
  private DatasetDiagnosis diagnosis(Map.Entry<DatasetKey, SpaceOrder> ranked) {
    DatasetKey key = ranked.getKey();
    ImportanceKey tenant = new ImportanceKey(key);
    List<Observed<JobReport>> readers = jobs.getOrDefault(tenant, List.of());
    return diagnosis(
        key,
        tenant,
        readers.isEmpty() ? ranked.getValue().quotaBytes() : readers.getFirst().report().bytes(),
        new Chunks(0, 0, 0, 0),
        ranked.getValue().quotaBytes());
  }

  private DatasetDiagnosis diagnosis(DatasetState state) {
    DatasetKey key = state.dataset();
    int pinned =
        (int) state.plannedChunks().stream().filter(planned -> !planned.isRotating()).count();
    int loading =
        (int) state.plannedChunks().stream().filter(planned -> !planned.isWhole()).count();
    int rotating = state.plannedChunks().size() - pinned;
    Chunks chunks = new Chunks(state.chunks(), pinned, rotating, loading);
    return diagnosis(key, key, state.bytes(), chunks, state.listedBytes());
  }

  private record Chunks(int all, int pinned, int rotating, int loading) {}

  private DatasetDiagnosis diagnosis(
      DatasetKey key, Tenant tenant, long bytes, Chunks chunks, long heldBytes) {
    Allocator.@Nullable Claimant claimant = claimants.get(tenant);
    Allocator.Share share = claimant == null ? Allocator.Share.NOTHING : plan.share(tenant);
    boolean known = claimant != null && claimant.measured();
    return new DatasetDiagnosis(
        key,
        tenant instanceof ImportanceKey,
        bytes,
        chunks.all,
        chunks.pinned,
        chunks.rotating,
        chunks.loading,
        heldBytes,
        share.planned(),
        share.extra(),
        known && claimant != null ? saved(claimant.demand(), share) : null,
        seen.preferences().of(key),
        seen.preferences().datasetQuotas().get(key),
        jobs.getOrDefault(tenant, List.of()).stream().map(each -> each.report().job()).toList(),
        why(key, claimant, share));
  }

  private static double saved(Demand demand, Allocator.Share share) {
    return demand.gpusSaved(demand.steps(share.bytes()));
  }

  private String why(DatasetKey key, Allocator.@Nullable Claimant claimant, Allocator.Share share) {
    return switch (seen.preferences().of(key)) {
      case PIN -> "pinned by hand";
      case NEVER -> "never to be cached, by hand";
      case AUTO ->
          claimant == null
              ? "nobody reads it; stays until somebody needs the bytes"
              : why(claimant, share);
    };
  }

  private static String why(Allocator.Claimant claimant, Allocator.Share share) {
    Demand demand = claimant.demand();
    if (!claimant.measured()) {
      return "its jobs are not measured yet: a trial, and its part of what is left";
    }
    if (!demand.gains()) {
      return "its readers gain nothing: b is below " + JobSpeed.LEAST_BENEFIT;
    }
    return String.format(
        Locale.ROOT,
        "saves the work of %.1f GPUs%s",
        saved(demand, share),
        share.extra() > 0 ? "; part of it only spares the store" : "");
  }

  /** Returns what would follow from another number of bytes to divide. */
  public WhatIf whatIf(long otherCapacity) {
    List<Allocator.Claimant> all = List.copyOf(claimants.values());
    Map<Tenant, Allocator.Share> then =
        planner.kind().plansChunks()
            ? planner
                .allocator()
                .divide(all, new CacheBudget(otherCapacity, seen.preferences().userQuotas()))
            : Map.of();
    List<WhatIf.DatasetOutlook> datasets = new ArrayList<>();
    List<WhatIf.JobOutlook> outlooks = new ArrayList<>();
    double savedNow = 0;
    double savedThen = 0;
    for (Tenant key : jobs.keySet()) {
      Allocator.@Nullable Claimant claimant = claimants.get(key);
      if (claimant == null) {
        continue;
      }
      Allocator.Share now = plan.share(key);
      Allocator.Share other = then.getOrDefault(key, Allocator.Share.NOTHING);
      datasets.add(
          new WhatIf.DatasetOutlook(
              dataset(key), claimant.demand().bytes(), now.bytes(), other.bytes()));
      savedNow += saved(claimant.demand(), now);
      savedThen += saved(claimant.demand(), other);
      jobs.getOrDefault(key, List.of())
          .forEach(each -> outlooks.add(outlook(each.report(), claimant.demand(), now, other)));
    }
    for (Allocator.Claimant each : all) {
      Tenant tenant = each.demand().tenant();
      if (tenant instanceof Tenant.StreamKey) {
        savedNow += saved(each.demand(), plan.share(tenant));
        savedThen += saved(each.demand(), then.getOrDefault(tenant, Allocator.Share.NOTHING));
      }
    }
    return new WhatIf(capacity, otherCapacity, savedNow, savedThen, datasets, outlooks);
  }

  private static DatasetKey dataset(Tenant tenant) {
    return switch (tenant) {
      case DatasetKey key -> key;
      case ImportanceKey key -> key.dataset();
      case Tenant.StreamKey key ->
          throw new IllegalArgumentException("stream " + key.text() + " reads no data set");
    };
  }

  private WhatIf.JobOutlook outlook(
      JobReport report, Demand demand, Allocator.Share now, Allocator.Share then) {
    Optional<JobSpeed> speed =
        demand.jobs().stream().filter(job -> job.job().equals(report.job())).findFirst();
    if (speed.isEmpty()) {
      return new WhatIf.JobOutlook(report.job(), report.dataset(), false, 0, 0, 1);
    }
    double before = demand.itemSeconds(speed.get(), demand.steps(now.bytes()));
    double after = demand.itemSeconds(speed.get(), demand.steps(then.bytes()));
    return new WhatIf.JobOutlook(
        report.job(), report.dataset(), true, before, after, before / after);
  }
}
