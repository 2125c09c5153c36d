package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.Planner;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.Timing;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One plan of a large cluster: a thousand servers, ten thousand jobs and a thousand data sets, in
 * the middle of training, all jobs measured. Every plan follows from new reports of all jobs. The
 * planner is one thread, so its processor time is what counts.
 */
final class PlanSection {
  private static final int SERVERS = 1_000;
  private static final int JOBS = 10_000;
  private static final int DATASETS = 1_000;
  private static final int ITEMS = 1_000_000;
  private static final int BATCH = 256;
  private static final long BYTES = 150_000_000_000L;
  private static final long SERVER_BYTES = 40_000_000_000L;
  private static final int WARM = 60;
  private static final int TIMED = 100;

  private final SectionOptions options;
  private final BenchmarkListener listener;
  private final SplittableRandom random;
  private final Planner planner = new Planner(PlannerConfig.DEFAULT);
  private Plan plan = Plan.empty(1);
  private long now;

  PlanSection(SectionOptions options, BenchmarkListener listener) {
    this.options = options;
    this.listener = listener;
    this.random = new SplittableRandom(options.seed());
  }

  List<Measurement> run() {
    listener.step(0.1, "planning for " + JOBS + " jobs");
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    int warm = options.quick() ? WARM / 2 : WARM;
    double[] millis = new double[options.quick() ? TIMED / 5 : TIMED];
    for (int round = -warm; round < millis.length; round++) {
      Observations seen = observations();
      long start = threads.getCurrentThreadCpuTime();
      plan = planner.next(plan, seen, Long.MAX_VALUE);
      if (round >= 0) {
        millis[round] = (threads.getCurrentThreadCpuTime() - start) / 1e6;
      }
      now += 250_000_000;
    }
    Arrays.sort(millis);
    int p99 = (int) Math.ceil(0.99 * millis.length) - 1;
    return List.of(
        Measurement.atMost("plan of 10,000 jobs, p99", millis[p99], "ms", 100),
        Measurement.plain("median such plan", millis[millis.length / 2], "ms"),
        Measurement.plain("longest such plan", millis[millis.length - 1], "ms"));
  }

  private Observations observations() {
    Map<DatasetKey, DatasetPlan> held = new HashMap<>();
    plan.datasets().forEach(each -> held.put(each.dataset(), each));
    List<Observed<JobReport>> jobs = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      DatasetKey key = new DatasetKey(String.format(Locale.ROOT, "%016x", i % DATASETS));
      jobs.add(new Observed<>(report(i, key, held.get(key)), now));
    }
    List<Observed<ServerReport>> servers = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      String name = "server-" + i;
      servers.add(
          new Observed<>(
              new ServerReport(
                  name, name, "http://" + name, SERVER_BYTES, Map.of(), plan.version(), false),
              now));
    }
    return new Observations(jobs, servers, now);
  }

  private JobReport report(int number, DatasetKey key, @Nullable DatasetPlan held) {
    List<Integer> remaining = new ArrayList<>();
    List<ChunkGeneration> loaded = new ArrayList<>();
    if (held != null) {
      for (int chunk = 0; chunk < held.chunks(); chunk++) {
        remaining.add(random.nextInt(3) == 0 ? 0 : ITEMS / held.chunks());
      }
      held.held().forEach(each -> loaded.add(new ChunkGeneration(each.chunk(), each.generation())));
    }
    double hit = 1e-4;
    double miss = hit * (1 + 5 * random.nextDouble());
    return JobReport.of("job-" + number, "i", key, ITEMS, BYTES, BATCH)
        .sequence(now)
        .epoch(1, false)
        .remaining(remaining)
        .loaded(loaded)
        .times(hit, 0)
        .following(plan.version(), held)
        .traits(new JobTraits("user-" + number % 50, 8, "store-" + number % 20))
        .speeds(
            new JobSpeeds(
                new Timing(hit, 100, 1),
                Timing.NONE,
                new Timing(miss, 100, 1),
                0,
                100_000,
                100,
                100_000,
                20,
                1))
        .build();
  }
}
