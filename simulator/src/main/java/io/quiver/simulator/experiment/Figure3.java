package io.quiver.simulator.experiment;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Quiver's Figure 3 (FAST '20, §7.3): how far the seven jobs of a model are at what time, with
 * misses only, with hits only, and with a cold cache and co-operative misses. The steeper a curve
 * of mini-batches over time, the faster the jobs.
 */
public final class Figure3 {
  private static final double POINT_EVERY_SECONDS = 10;

  private Figure3() {}

  /**
   * The curves of one model: mini-batches that a job has got on average, by time.
   *
   * @param workload the model
   * @param miss all read from the store
   * @param hit all read from the cache
   * @param coopPaperMode a cold cache, the paper's way
   * @param coop a cold cache, our way
   */
  public record Panel(
      String workload,
      List<ProgressMeter.Sample> miss,
      List<ProgressMeter.Sample> hit,
      List<ProgressMeter.Sample> coopPaperMode,
      List<ProgressMeter.Sample> coop) {}

  /** The three panels. */
  public static List<Panel> run(long seed, Runs.Listener progress) {
    Runs runs = new Runs(seed);
    List<Map<MultiJob.Mode, ProgressMeter>> meters = new ArrayList<>();
    for (Workload workload : Workload.ALL) {
      Map<MultiJob.Mode, ProgressMeter> byMode = new EnumMap<>(MultiJob.Mode.class);
      for (MultiJob.Mode mode : MultiJob.Mode.values()) {
        ProgressMeter meter = new ProgressMeter(POINT_EVERY_SECONDS);
        byMode.put(mode, meter);
        runs.add(MultiJob.scenario(workload, mode, seed), meter);
      }
      meters.add(byMode);
    }
    runs.run(progress);
    List<Panel> panels = new ArrayList<>();
    for (int i = 0; i < meters.size(); i++) {
      panels.add(panel(Workload.ALL.get(i), meters.get(i)));
    }
    return panels;
  }

  private static Panel panel(Workload workload, Map<MultiJob.Mode, ProgressMeter> meters) {
    return new Panel(
        workload.name(),
        curve(meters, MultiJob.Mode.MISS),
        curve(meters, MultiJob.Mode.HIT),
        curve(meters, MultiJob.Mode.COOP_PAPER),
        curve(meters, MultiJob.Mode.COOP));
  }

  private static List<ProgressMeter.Sample> curve(
      Map<MultiJob.Mode, ProgressMeter> meters, MultiJob.Mode mode) {
    return java.util.Objects.requireNonNull(meters.get(mode)).totalPerJob();
  }
}
