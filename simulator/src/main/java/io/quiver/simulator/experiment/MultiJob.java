package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.chunk.ChunkRules;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.Scenario.LoaderSpec;

/**
 * Quiver's multi-jobs (FAST '20, §7.3): seven jobs of one model, each on a machine of its own, 7000
 * mini-batches each, in four ways. Both cold caches hold a part of the data set only.
 *
 * <p>A mini-batch is {@value #BATCH_ITEMS} items here and 512 there: an item stands for sixteen
 * images, so that each run takes seconds. Bytes and times are those of the whole mini-batch.
 */
final class MultiJob {
  /** The number of items that stand for a mini-batch. */
  static final int BATCH_ITEMS = 32;

  /** The number of jobs. */
  static final int JOBS = 7;

  /** The mini-batches of each job. */
  static final long BATCHES = 7000;

  private static final double CACHE_SHARE = 0.2;

  private MultiJob() {}

  /** The four ways. */
  enum Mode {
    /** Everything is read from the store. */
    MISS,
    /** Everything is in the cache. */
    HIT,
    /** A cold cache: Algorithm 1 to the letter, the paper's chunks, no claims. */
    COOP_PAPER,
    /** A cold cache, as the product comes. */
    COOP
  }

  static Scenario scenario(Workload workload, Mode mode, long seed) {
    return scenario(workload, mode, seed, BATCHES);
  }

  /** Returns the scenario with fewer mini-batches of each job. */
  static Scenario scenario(Workload workload, Mode mode, long seed, long batches) {
    SharedCluster cluster = new SharedCluster(workload.name() + ", " + mode, BATCH_ITEMS);
    switch (mode) {
      case MISS -> cluster.planner(PlannerConfig.of(PlannerKind.NONE));
      case HIT -> cluster.cache((double) workload.datasetBytes()).fullyCached();
      case COOP_PAPER ->
          cluster
              .cache(paperCache(workload))
              .planner(
                  PlannerConfig.PAPER.withChunks(
                      ChunkRules.PAPER.withMaxChunks(workload.paperChunks())))
              .loader(LoaderSpec.STANDARD.with(false, false));
      case COOP -> cluster.cache(CACHE_SHARE * workload.datasetBytes());
    }
    return cluster.jobs(workload, JOBS, batches, 0, sampler(mode)).build(seed);
  }

  private static SamplerKind sampler(Mode mode) {
    return switch (mode) {
      case MISS, HIT -> SamplerKind.STRICT;
      case COOP_PAPER -> SamplerKind.PAPER;
      case COOP -> SamplerKind.SUBSTITUTE;
    };
  }

  /**
   * Room for the two rotating chunks, and what the planner leaves free because servers are not
   * filled quite evenly.
   */
  private static double paperCache(Workload workload) {
    return 2.2 * workload.datasetBytes() / workload.paperChunks();
  }

  /** Returns the reads of each item from the store per epoch of every job. */
  static double readsPerEpoch(Workload workload, long storeBytes) {
    return storeBytes / ((double) BATCHES * workload.batchBytes());
  }
}
