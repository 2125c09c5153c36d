package io.quiver.core.plan;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.Timing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs and servers that report to a planner as they are told, and find whole what it loads. */
final class Cluster {
  static final int ITEMS = 15_000;
  static final int BATCH = 10;
  static final double HIT = 0.001;

  private final Planner planner;
  private final Map<String, Job> jobs = new TreeMap<>();
  private final long room;
  private CachePreferences preferences = CachePreferences.NONE;
  private Plan plan = Plan.empty(1);
  private long now;

  private record Job(
      String name, DatasetKey key, long bytes, String user, JobSpeeds speeds, double work) {
    Job(String name, DatasetKey key, long bytes, String user, JobSpeeds speeds) {
      this(name, key, bytes, user, speeds, HIT);
    }
  }

  Cluster(PlannerKind kind, long room) {
    this.planner = new Planner(PlannerConfig.of(kind));
    this.room = room;
  }

  static DatasetKey key(int number) {
    return new DatasetKey(String.format(java.util.Locale.ROOT, "%016x", number));
  }

  static JobSpeeds speeds(double hit, double miss) {
    return new JobSpeeds(
        new Timing(hit, 1000, 1), Timing.NONE, new Timing(miss, 1000, 1), 0, 1000, 10, -1, 12, 1);
  }

  /** Returns a job of which nothing is known yet. */
  Cluster job(String name, int dataset, long bytes) {
    jobs.put(name, new Job(name, key(dataset), bytes, "", JobSpeeds.NONE));
    return this;
  }

  /** Returns a job joins that works twice as fast as the others and has not been measured. */
  Cluster fastJob(String name, int dataset, long bytes) {
    jobs.put(name, new Job(name, key(dataset), bytes, "", JobSpeeds.NONE, HIT / 2));
    return this;
  }

  /** Returns a job joins, or another measurement of it. */
  Cluster job(String name, int dataset, long bytes, double benefit) {
    jobs.put(name, new Job(name, key(dataset), bytes, "", speeds(HIT, benefit * HIT)));
    return this;
  }

  Cluster job(String name, int dataset, long bytes, String user) {
    jobs.put(name, new Job(name, key(dataset), bytes, user, JobSpeeds.NONE));
    return this;
  }

  Cluster leave(String name) {
    jobs.remove(name);
    return this;
  }

  Cluster preference(CachePreferences others) {
    preferences = others;
    return this;
  }

  /** Plans until nothing has moved for longer than the latest measurements are old, or often. */
  Cluster settle() {
    int quiet = 0;
    for (int i = 0; i < 400 && quiet < 20; i++) {
      long before = plan.version();
      step();
      quiet = plan.version() == before ? quiet + 1 : 0;
    }
    return this;
  }

  Plan step() {
    now += 100_000_000;
    List<Observed<JobReport>> reports = new ArrayList<>();
    jobs.values().forEach(job -> reports.add(new Observed<>(report(job), now)));
    // The server has more than the plan may fill, so that no margin blurs how that is divided.
    ServerReport server = new ServerReport("s", "i", "http://s", 2 * room, Map.of(), 0, false);
    plan =
        planner.next(
            plan,
            new Observations(reports, List.of(new Observed<>(server, now)), now, preferences),
            room);
    return plan;
  }

  Plan plan() {
    return plan;
  }

  @Nullable DatasetPlan dataset(int number) {
    return plan.forJob("any", key(number)).dataset();
  }

  /** Returns true if only this user's jobs read a data set. */
  boolean isOf(String user, int number) {
    return jobs.values().stream()
        .filter(job -> job.key.equals(key(number)))
        .allMatch(job -> job.user.equals(user));
  }

  /** Returns what the first data sets may have of the room. */
  long[] shares(int count) {
    long[] shares = new long[count];
    Arrays.setAll(shares, i -> plan.memory().share(key(i)).bytes());
    return shares;
  }

  /** Bytes held of a data set. */
  long held(int number) {
    DatasetPlan held = dataset(number);
    return held == null
        ? 0
        : Math.round((double) held.bytes() * held.held().size() / held.chunks());
  }

  private JobReport report(Job job) {
    @Nullable DatasetPlan held = plan.forJob(job.name, job.key).dataset();
    int chunks = held == null ? 0 : held.chunks();
    List<ChunkGeneration> loaded = new ArrayList<>();
    if (held != null) {
      held.held().forEach(each -> loaded.add(new ChunkGeneration(each.chunk(), each.generation())));
    }
    return JobReport.of(job.name, job.name, job.key, ITEMS, job.bytes, BATCH)
        .sequence(now)
        .remaining(Collections.nCopies(chunks, Math.ceilDiv(ITEMS, Math.max(chunks, 1))))
        .loaded(loaded)
        .times(job.work, 0)
        .following(plan.version(), held)
        .traits(new JobTraits(job.user, 1, "store"))
        .speeds(job.speeds)
        .build();
  }
}
