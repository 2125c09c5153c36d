package io.quiver.simulator.experiment;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.sampling.SamplerKind;
import io.quiver.simulator.Simulation;
import io.quiver.simulator.job.Caching;
import io.quiver.simulator.job.LoaderModel;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * Quiver's Table 3 (FAST '20, §7.3): seven jobs of one model, each on a machine of its own, 7000
 * mini-batches each. Four ways: all from the store, all from the cache, from a cold cache with the
 * paper's sampling and chunks, and from a cold cache with ours. Both cold caches have room for a
 * fifth of the data set.
 *
 * <p>A mini-batch is {@value #BATCH_ITEMS} items here and 512 there: an item stands for sixteen
 * images, so that each run takes seconds. Bytes and times are those of the whole mini-batch.
 */
public final class Table3 {
  /** How many items stand for a mini-batch. */
  public static final int BATCH_ITEMS = 32;

  /** How many jobs run. */
  public static final int JOBS = 7;

  /** How many mini-batches each runs. */
  public static final long BATCHES = 7000;

  private static final double CACHE_SHARE = 0.2;
  private static final long PAPER_CHUNK_BYTES = 15_000_000_000L;

  private Table3() {}

  /**
   * One line of the table, in seconds.
   *
   * @param workload the model
   * @param missSeconds all read from the store
   * @param hitSeconds all read from the cache
   * @param coopPaperModeSeconds a cold cache, the paper's way
   * @param coopSeconds a cold cache, our way
   * @param paper what the paper says
   */
  public record Row(
      String workload,
      double missSeconds,
      double hitSeconds,
      double coopPaperModeSeconds,
      double coopSeconds,
      Workload.Paper paper) {}

  /** The whole table. */
  public static List<Row> run(long seed) {
    List<Row> rows = new ArrayList<>();
    for (Workload workload : Workload.ALL) {
      rows.add(
          new Row(
              workload.name(),
              seconds(miss(workload, seed), seed),
              seconds(hit(workload, seed), seed),
              seconds(coopPaperMode(workload, seed), seed),
              seconds(coop(workload, seed), seed),
              workload.paper()));
    }
    return rows;
  }

  private static double seconds(Scenario scenario, long seed) {
    SimulationResult result = Simulation.run(scenario, seed);
    if (!result.violations().isEmpty()) {
      throw new IllegalStateException(scenario.name() + ": " + result.violations());
    }
    return result.averageSeconds();
  }

  /** Everything is read from the store. */
  public static Scenario miss(Workload workload, long seed) {
    return new SharedCluster(workload.name() + ", miss", BATCH_ITEMS)
        .caching(Caching.NONE, 0)
        .jobs(workload, JOBS, BATCHES, 0, SamplerKind.STRICT)
        .build(seed);
  }

  /** Everything is in the cache. */
  public static Scenario hit(Workload workload, long seed) {
    return new SharedCluster(workload.name() + ", hit", BATCH_ITEMS)
        .caching(Caching.ALL, (double) workload.datasetBytes())
        .jobs(workload, JOBS, BATCHES, 0, SamplerKind.STRICT)
        .build(seed);
  }

  /** A cold cache: Algorithm 1 to the letter, 15 GB chunks, no claims. */
  public static Scenario coopPaperMode(Workload workload, long seed) {
    long chunks = Math.max(10, Math.ceilDiv(workload.datasetBytes(), PAPER_CHUNK_BYTES));
    return new SharedCluster(workload.name() + ", co-operative, paper mode", BATCH_ITEMS)
        .caching(Caching.PLANNED, paperCache(workload, chunks))
        .planner(PlannerConfig.PAPER.withMaxChunks((int) chunks))
        .loader(LoaderModel.STANDARD.with(false, false))
        .jobs(workload, JOBS, BATCHES, 0, SamplerKind.PAPER)
        .build(seed);
  }

  /**
   * Room for the two rotating chunks, and what the planner leaves free because servers are not
   * filled quite evenly.
   */
  private static double paperCache(Workload workload, long chunks) {
    return 2.2 * workload.datasetBytes() / chunks;
  }

  /** A cold cache, as the product comes. */
  public static Scenario coop(Workload workload, long seed) {
    return new SharedCluster(workload.name() + ", co-operative", BATCH_ITEMS)
        .caching(Caching.PLANNED, CACHE_SHARE * (double) workload.datasetBytes())
        .jobs(workload, JOBS, BATCHES, 0, SamplerKind.SUBSTITUTE)
        .build(seed);
  }
}
