package io.quiver.core.plan.probe;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.probe.ProbeBook.MissRecord;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is probed when (Quiver, §5.3): at most one job of a store at a time, at most a
 * hundredth of a job's batches, no job twice within a minute. A job is probed when it is not known
 * how fast it reads the store, or that was before the jobs of the store changed or its speed did,
 * or long ago. Jobs that are alike, as those of a sweep are, read the store alike: one is probed
 * for all. Jobs that read the store anyway measure that by themselves and are not probed, nor are
 * those whose data is still on its way into the cache.
 */
public final class ProbeSchedule {
  /** The paper's hundred batches (§5.3). */
  private static final int MOST_BATCHES = 100;

  private static final long BETWEEN_NANOS = Duration.ofSeconds(60).toNanos();
  private static final long LONGEST_NANOS = Duration.ofMinutes(5).toNanos();

  /** A store is as fast as it was unless its time changed by more than this. */
  private static final double SAME_SPEED = 1.2;

  private final ProbeBook before;
  private final Function<DatasetKey, DatasetState.FillState> fill;
  private final Map<DatasetKey, DatasetState.FillState> known = new HashMap<>();
  private final long now;
  private final Map<String, ProbeBook.ProbeRun> running = new HashMap<>();
  private final Map<String, ProbeBook.StoreLoad> stores = new HashMap<>();
  private final Map<String, MissRecord> misses;
  private long nextId;

  private ProbeSchedule(
      ProbeBook before, Function<DatasetKey, DatasetState.FillState> fill, long version, long now) {
    this.before = before;
    this.misses = HashMap.newHashMap(before.misses().size());
    this.fill = fill;
    this.nextId = Math.max(before.nextId(), version);
    this.now = now;
  }

  /**
   * Returns what follows from the latest reports.
   *
   * @param fill how much of a data set is in the cache
   * @param version a number larger than any probe of an earlier manager
   */
  public static ProbeBook next(
      ProbeBook before,
      List<Observed<JobReport>> jobs,
      Function<DatasetKey, DatasetState.FillState> fill,
      long version,
      long now) {
    ProbeSchedule schedule = new ProbeSchedule(before, fill, version, now);
    Map<String, List<JobReport>> byStore = new HashMap<>();
    for (Observed<JobReport> job : jobs) {
      if (!job.report().warming()) {
        String store = job.report().traits().store();
        byStore.computeIfAbsent(store, any -> new ArrayList<>()).add(job.report());
      }
    }
    new TreeMap<>(byStore).forEach(schedule::plan);
    return new ProbeBook(schedule.running, schedule.stores, schedule.misses, schedule.nextId);
  }

  /** Learns from the jobs of a store, and goes on with its probe or begins one. */
  private void plan(String store, List<JobReport> jobs) {
    ProbeBook.@Nullable StoreLoad known = before.stores().get(store);
    boolean others = known != null && !isReadBy(known, jobs);
    ProbeBook.StoreLoad load =
        known == null
            ? ProbeBook.StoreLoad.begun(names(jobs), now)
            : others ? known.changed(names(jobs), now) : known.aged(now);
    // One record for each job, in their order: to look ten thousand up by name again takes time.
    MissRecord[] records = new MissRecord[jobs.size()];
    for (int i = 0; i < records.length; i++) {
      load = learn(jobs.get(i), load, others, records, i);
    }
    long generation = load.generation();
    lend(jobs, records, generation);
    stores.put(store, load);
    Optional<ProbeBook.ProbeRun> run = goOn(store, jobs, records);
    run.or(() -> begin(store, jobs, records, generation))
        .ifPresent(probing -> running.put(store, probing));
    for (int i = 0; i < records.length; i++) {
      misses.put(jobs.get(i).job(), records[i]);
    }
  }

  private static Set<String> names(List<JobReport> jobs) {
    return jobs.stream().map(JobReport::job).collect(Collectors.toSet());
  }

  private static boolean isReadBy(ProbeBook.StoreLoad load, List<JobReport> jobs) {
    boolean same = load.jobs().size() == jobs.size();
    for (int i = 0; same && i < jobs.size(); i++) {
      same = load.jobs().contains(jobs.get(i).job());
    }
    return same;
  }

  /** Notes what a job has measured; returns the load, which that may have shown to be another. */
  private ProbeBook.StoreLoad learn(
      JobReport job, ProbeBook.StoreLoad load, boolean others, MissRecord[] records, int place) {
    MissRecord record = record(job);
    records[place] = record;
    double uncached = others ? 0 : record.uncachedSeconds();
    Timing miss = job.speeds().miss();
    long measuredAt = now - (long) (miss.ageSeconds() * 1e9);
    ProbeBook.StoreLoad after = load;
    if (!MeasuredJob.tells(miss, job)) {
      return load;
    }
    if (fill(job) == DatasetState.FillState.NOTHING) {
      uncached = Math.max(uncached, miss.seconds());
    }
    boolean fresh = record.generation() < 0 || measuredAt - load.since() >= 0;
    boolean own = record.generation() == load.generation() && !record.lent();
    if (own && moved(record.seconds(), miss.seconds())) {
      after = load.changed(load.jobs(), now);
      record = record.measured(after.generation(), miss.seconds(), uncached);
    } else if (fresh) {
      boolean another = record.seconds() > 0 && moved(record.seconds(), miss.seconds());
      after = another ? load.unsteady() : load;
      record = record.measured(load.generation(), miss.seconds(), uncached);
    } else {
      record = record.uncached(uncached);
    }
    records[place] = record;
    return after;
  }

  /** The key of jobs that take equally long to read an item from a store. */
  private record Kind(DatasetKey dataset, int batch, long speed) {
    private static final double ALIKE = Math.log(1.25);

    static Kind of(JobReport job) {
      return new Kind(job.dataset(), job.batch(), Math.round(Math.log(job.itemSeconds()) / ALIKE));
    }
  }

  /** Gives jobs that have not measured the store what another of their kind has measured. */
  private static void lend(List<JobReport> jobs, MissRecord[] records, long generation) {
    Map<Kind, Double> measured = new HashMap<>();
    boolean lacking = false;
    for (int i = 0; i < records.length; i++) {
      if (records[i].generation() == generation && !records[i].lent()) {
        measured.putIfAbsent(Kind.of(jobs.get(i)), records[i].seconds());
      }
      lacking |= records[i].generation() < generation;
    }
    for (int i = 0; lacking && i < records.length; i++) {
      boolean lacks = records[i].generation() < generation;
      Double seconds = lacks ? measured.get(Kind.of(jobs.get(i))) : null;
      if (seconds != null) {
        records[i] = records[i].lent(generation, seconds);
      }
    }
  }

  /**
   * Returns the fill state of a job's data set, computed once for all its jobs. What is kept by
   * importance is never whole: it changes with every batch.
   */
  private DatasetState.FillState fill(JobReport job) {
    return job.readsByImportance()
        ? DatasetState.FillState.SETTLED
        : known.computeIfAbsent(job.dataset(), fill);
  }

  private MissRecord record(JobReport job) {
    MissRecord known = before.misses().get(job.job());
    return known != null && known.instance().equals(job.instance())
        ? known
        : MissRecord.unknown(job.instance());
  }

  private static boolean moved(double before, double after) {
    return after > before * SAME_SPEED || after < before / SAME_SPEED;
  }

  /** Returns the probe that is under way, if it still is. */
  private Optional<ProbeBook.ProbeRun> goOn(
      String store, List<JobReport> jobs, MissRecord[] records) {
    ProbeBook.ProbeRun run = before.running().get(store);
    if (run == null) {
      return Optional.empty();
    }
    OptionalInt place =
        IntStream.range(0, records.length)
            .filter(i -> jobs.get(i).job().equals(run.job()))
            .findFirst();
    boolean done =
        place.isEmpty()
            || jobs.get(place.getAsInt()).speeds().lastProbe() >= run.probe().id()
            || now - run.since() > LONGEST_NANOS;
    if (!done) {
      return Optional.of(run);
    }
    place.ifPresentOrElse(
        i -> records[i] = records[i].probed(now),
        () -> misses.computeIfPresent(run.job(), (name, record) -> record.probed(now)));
    return Optional.empty();
  }

  /**
   * Returns the job that needs it most: one never measured, then the one whose last probe is
   * oldest.
   */
  private Optional<ProbeBook.ProbeRun> begin(
      String store, List<JobReport> jobs, MissRecord[] records, long generation) {
    return IntStream.range(0, records.length)
        .filter(i -> needsProbe(jobs.get(i), records[i], generation))
        .boxed()
        .min(
            Comparator.comparing((Integer i) -> record(jobs.get(i)).seconds() > 0)
                .thenComparingLong(i -> records[i].probedAt())
                .thenComparing(i -> jobs.get(i).job()))
        .map(i -> {
          Probe probe = new Probe(nextId++, SupplyMode.MISS, batches(jobs.get(i)));
          return new ProbeBook.ProbeRun(jobs.get(i).job(), store, probe, now);
        });
  }

  private boolean needsProbe(JobReport job, MissRecord record, long generation) {
    if (record.generation() >= generation || now - record.probedAt() < BETWEEN_NANOS) {
      return false;
    }
    JobSpeeds speeds = job.speeds();
    int batches = batches(job);
    return batches >= speeds.leastProbe()
        && (speeds.toCome() < 0 || speeds.toCome() >= batches)
        && speeds.batches() > 0
        && fill(job) == DatasetState.FillState.SETTLED;
  }

  /**
   * Returns the length of a probe, as short as it can be and tell something: batches from the store
   * take several times as long as others, and those under way before and after do not count.
   */
  private static int batches(JobReport job) {
    JobSpeeds speeds = job.speeds();
    double batchSeconds = job.itemSeconds() * job.batch();
    double enough =
        batchSeconds > 0
            ? MeasuredJob.LEAST_SECONDS / batchSeconds + speeds.leastProbe() / 2.0
            : MOST_BATCHES;
    int wanted = Math.max(speeds.leastProbe(), (int) Math.ceil(Math.min(MOST_BATCHES, enough)));
    return (int) Math.min(speeds.probesLeft(), wanted);
  }
}
