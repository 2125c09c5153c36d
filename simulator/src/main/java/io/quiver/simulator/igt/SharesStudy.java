package io.quiver.simulator.igt;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.allocate.ShiftRules;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.stream.StreamRules;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.igt.DividedPath.Division;
import io.quiver.simulator.keep.TwoRandomCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Divides a cache among two training and two query programs, with a tenth of their data (IGTCache,
 * Figures 12 and 13).
 */
public final class SharesStudy {
  /** The paper's part of the data. */
  public static final double PAPER_SCALE = 0.1;

  private static final double CACHE_BYTES = 75e9;
  private static final List<Integer> JOBS = List.of(9, 13, 14, 16);
  private static final double NANOS = 1e9;

  /** The ways of dividing that are compared. */
  public enum Way {
    /** The live planner. */
    QUIVER,
    /** The live classes, with the paper's shifts of 640 MB. */
    IGT,
    /** One space for all: JuiceFS. */
    JUICEFS,
    /** Fluid, extended to queries as in the paper. */
    FLUID,
    /** The Quiver paper's, extended to queries as in the paper. */
    QUIVER_PAPER,
    /** Equal parts. */
    EQUAL;

    /** Returns the name in tables and documents. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * The bytes of programs at a time.
   *
   * @param seconds the time
   * @param bytes the quota of each program's data set, by its root
   */
  public record Quotas(double seconds, Map<String, Long> bytes) {}

  /**
   * The result of a way.
   *
   * @param way how bytes are divided
   * @param result the programs' results
   * @param quotas the quotas over time, where a planner decides
   */
  public record Row(Way way, ClusterRun.Result result, List<Quotas> quotas) {
    /** Keeps its own copy. */
    public Row {
      quotas = List.copyOf(quotas);
    }
  }

  private SharesStudy() {}

  /**
   * Compares all ways.
   *
   * @param scale part of the paper's data; the cache is scaled with it
   */
  public static List<Row> run(double scale, long seed, Runs.Listener progress) {
    int[] done = {0};
    return List.of(Way.values()).parallelStream()
        .map(way -> {
          Row row = row(way, scale, seed);
          synchronized (done) {
            progress.step(++done[0], Way.values().length);
          }
          return row;
        })
        .toList();
  }

  private static Row row(Way way, double scale, long seed) {
    List<ProgramSpec> jobs =
        Workloads.at(scale).stream().filter(job -> JOBS.contains(job.number())).toList();
    List<Quotas> quotas = new ArrayList<>();
    ClusterRun run =
        new ClusterRun(
            jobs,
            ClusterRun.GAP_SECONDS * scale,
            seed,
            (engine, store) -> path(way, engine, store, scale, seed, quotas, jobs));
    return new Row(way, run.run(), quotas);
  }

  private static ReadPath path(
      Way way,
      Engine engine,
      RemoteLink store,
      double scale,
      long seed,
      List<Quotas> quotas,
      List<ProgramSpec> jobs) {
    long bytes = Math.round(CACHE_BYTES * scale);
    return switch (way) {
      case QUIVER -> live(engine, store, bytes, PlannerConfig.DEFAULT, quotas, jobs);
      case IGT ->
          live(
              engine,
              store,
              bytes,
              PlannerConfig.DEFAULT
                  .withKind(PlannerKind.IGT)
                  .withShifts(ShiftRules.PAPER.scaled(scale / PAPER_SCALE)),
              quotas,
              jobs);
      case JUICEFS ->
          new PlainPath(
              engine, store, new TwoRandomCache(bytes, SeededNumbers.of(seed, "victims")), true);
      case FLUID -> new DividedPath(engine, store, bytes, Division.FLUID, 0);
      case QUIVER_PAPER -> new DividedPath(engine, store, bytes, Division.QUIVER_PAPER, 0);
      case EQUAL -> new DividedPath(engine, store, bytes, Division.EQUAL, 0);
    };
  }

  private static LivePath live(
      Engine engine,
      RemoteLink store,
      long bytes,
      PlannerConfig config,
      List<Quotas> quotas,
      List<ProgramSpec> jobs) {
    LivePath path = new LivePath(engine, store, bytes, config, StreamRules.STANDARD);
    path.observePlans(plan -> quotas.add(quotas(plan, engine.now() / NANOS, jobs)));
    return path;
  }

  static Quotas quotas(Plan plan, double seconds, List<ProgramSpec> jobs) {
    Map<String, Long> bytes = new TreeMap<>();
    for (ProgramSpec job : jobs) {
      String root = job.phases().getLast().files().root();
      StreamOrder order = plan.streams().get(LiveDoor.streamKey(root));
      bytes.put(root, order == null ? 0 : order.quotaBytes());
    }
    return new Quotas(seconds, bytes);
  }
}
