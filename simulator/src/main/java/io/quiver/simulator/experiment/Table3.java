package io.quiver.simulator.experiment;

import io.quiver.simulator.result.SimulationResult;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Quiver's Table 3 (FAST '20, §7.3): how long seven jobs of one model take when all is read from
 * the store, when all is in the cache, and from a cold cache: the paper's way and ours.
 */
public final class Table3 {
  private Table3() {}

  /**
   * One line of the table.
   *
   * @param workload the model
   * @param missSeconds all read from the store
   * @param hitSeconds all read from the cache
   * @param coopPaperModeSeconds a cold cache, the paper's way
   * @param coopSeconds a cold cache, our way
   * @param paper what the paper says
   * @param coopPaperModeReads how often each item was read from the store per epoch, by all jobs
   *     together, the paper's way
   * @param coopReads and our way
   */
  public record Row(
      String workload,
      double missSeconds,
      double hitSeconds,
      double coopPaperModeSeconds,
      double coopSeconds,
      Workload.Paper paper,
      double coopPaperModeReads,
      double coopReads) {}

  /** The whole table. */
  public static List<Row> run(long seed) {
    return run(seed, Runs.Listener.NONE);
  }

  /** The whole table, telling how far it is. */
  public static List<Row> run(long seed, Runs.Listener progress) {
    Runs runs = new Runs(seed);
    for (Workload workload : Workload.ALL) {
      for (MultiJob.Mode mode : MultiJob.Mode.values()) {
        runs.add(MultiJob.scenario(workload, mode, seed));
      }
    }
    Iterator<SimulationResult> results = runs.run(progress).iterator();
    List<Row> rows = new ArrayList<>();
    for (Workload workload : Workload.ALL) {
      Map<MultiJob.Mode, SimulationResult> byMode = new EnumMap<>(MultiJob.Mode.class);
      for (MultiJob.Mode mode : MultiJob.Mode.values()) {
        byMode.put(mode, results.next());
      }
      rows.add(row(workload, byMode));
    }
    return rows;
  }

  private static Row row(Workload workload, Map<MultiJob.Mode, SimulationResult> results) {
    return new Row(
        workload.name(),
        seconds(results, MultiJob.Mode.MISS),
        seconds(results, MultiJob.Mode.HIT),
        seconds(results, MultiJob.Mode.COOP_PAPER),
        seconds(results, MultiJob.Mode.COOP),
        workload.paper(),
        reads(workload, results, MultiJob.Mode.COOP_PAPER),
        reads(workload, results, MultiJob.Mode.COOP));
  }

  private static double seconds(Map<MultiJob.Mode, SimulationResult> results, MultiJob.Mode mode) {
    return Objects.requireNonNull(results.get(mode)).averageSeconds();
  }

  private static double reads(
      Workload workload, Map<MultiJob.Mode, SimulationResult> results, MultiJob.Mode mode) {
    long bytes = Objects.requireNonNull(results.get(mode)).storeBytes();
    return MultiJob.readsPerEpoch(workload, bytes);
  }
}
