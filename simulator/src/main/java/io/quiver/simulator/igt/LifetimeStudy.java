package io.quiver.simulator.igt;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.igt.DividedPath.Division;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stops one of two training programs that share a cache, and watches how the other one gets its
 * space (IGTCache, Figure 11).
 */
public final class LifetimeStudy {
  /** The time at which job 9 is stopped. */
  public static final double STOPPED_AT = 240;

  /** The usual lifetime in JuiceFS, as in the paper. */
  public static final double FIXED_TTL = 600;

  /** The length of the study. */
  public static final double SECONDS = 1_200;

  private static final double SCALE = 0.02;
  private static final double CACHE_SHARE = 1.0;
  private static final double STEP = 10;
  private static final double NANOS = 1e9;
  private static final int STOPPED = 9;
  private static final int STAYS = 13;

  private LifetimeStudy() {}

  /**
   * The state at a time.
   *
   * @param seconds the time
   * @param blocksPerSecond how fast the program that stays reads
   * @param stoppedBytes quota of the program that was stopped; 0 where nobody plans
   */
  public record Point(double seconds, double blocksPerSecond, long stoppedBytes) {}

  /**
   * The result with one way of ending a program's share.
   *
   * @param way its name
   * @param points the states over time
   * @param freedAfter the time from the stop until the other program had the space, infinity if it
   *     never did
   * @param leaseSeconds the estimated lease of the stopped program's stream; 0 where there is none
   */
  public record Row(String way, List<Point> points, double freedAfter, double leaseSeconds) {
    /** Keeps its own copy. */
    public Row {
      points = List.copyOf(points);
    }
  }

  /** Runs the study with the live planner and with a fixed time to live. */
  public static List<Row> run(long seed) {
    return List.of(live(seed), fixed(seed));
  }

  /** Returns the two programs, with as many epochs as the study is long. */
  private static List<ProgramSpec> programs() {
    final int epochs = 1_000;
    return Workloads.at(SCALE).stream()
        .filter(job -> job.number() == STOPPED || job.number() == STAYS)
        .map(job -> job.passes(epochs))
        .toList();
  }

  /** The cache has the data of the program that stays, so that half of it is too little. */
  private static long capacity() {
    return (long) (CACHE_SHARE * programs().getLast().phases().getLast().files().bytes());
  }

  private static Row live(long seed) {
    LivePath[] path = new LivePath[1];
    List<Point> points = new ArrayList<>();
    Map<String, Long>[] quotas = quotaHolder();
    ClusterRun run =
        new ClusterRun(
            programs(),
            0,
            seed,
            (engine, store) ->
                path[0] =
                    new LivePath(
                        engine, store, capacity(), PlannerConfig.DEFAULT, StreamRules.STANDARD));
    path[0].observePlans(
        plan -> quotas[0] = SharesStudy.quotas(plan, run.engine.now() / NANOS, programs()).bytes());
    String stopped = programs().getFirst().phases().getLast().files().root();
    double[] lease = {0};
    watch(
        run,
        points,
        () -> quotas[0].getOrDefault(stopped, 0L),
        () -> lease[0] = lease(path[0], run, stopped));
    return new Row("quiver", points, freed(points), lease[0]);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Map<String, Long>[] quotaHolder() {
    return new Map[] {Map.of()};
  }

  private static double lease(LivePath path, ClusterRun run, String label) {
    return path.doors().stream()
        .flatMap(door -> door.streams().summaries(64, run.engine.now()).stream())
        .filter(each -> each.label().equals(label))
        .mapToDouble(StreamSummary::leaseSeconds)
        .max()
        .orElse(0);
  }

  private static Row fixed(long seed) {
    List<Point> points = new ArrayList<>();
    long half = capacity() / 2;
    ClusterRun run =
        new ClusterRun(
            programs(),
            0,
            seed,
            (engine, store) ->
                new DividedPath(
                    engine, store, capacity(), Division.EQUAL, (long) (FIXED_TTL * NANOS)));
    watch(
        run, points, () -> run.engine.now() / NANOS < STOPPED_AT + FIXED_TTL ? half : 0, () -> {});
    return new Row("fixed time to live", points, freed(points), 0);
  }

  private interface Quota {
    long bytes();
  }

  private static void watch(ClusterRun run, List<Point> points, Quota stopped, Runnable atStop) {
    RunningProgram stays = program(run, STAYS);
    Engine engine = run.engine;
    long[] before = {0};
    for (double at = STEP; at <= SECONDS; at += STEP) {
      double seconds = at;
      engine.at(
          (long) (seconds * NANOS),
          any -> {
            long reads = stays.hits() + stays.misses();
            points.add(new Point(seconds, (reads - before[0]) / STEP, stopped.bytes()));
            before[0] = reads;
          },
          0);
    }
    engine.at(
        (long) (STOPPED_AT * NANOS),
        any -> {
          atStop.run();
          program(run, STOPPED).stop();
        },
        0);
    engine.at((long) (SECONDS * NANOS), any -> engine.stop(), 0);
    engine.run(Long.MAX_VALUE);
  }

  private static RunningProgram program(ClusterRun run, int number) {
    return run.jobs.stream()
        .filter(each -> each.spec().number() == number)
        .findFirst()
        .orElseThrow();
  }

  /** Returns when less than a tenth of the space at the stop was left to the stopped program. */
  private static double freed(List<Point> points) {
    long had =
        points.stream()
            .filter(each -> each.seconds <= STOPPED_AT)
            .mapToLong(Point::stoppedBytes)
            .reduce(0, (first, last) -> last);
    return points.stream()
        .filter(each -> each.seconds > STOPPED_AT && 10 * each.stoppedBytes <= had)
        .mapToDouble(each -> each.seconds - STOPPED_AT)
        .findFirst()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
