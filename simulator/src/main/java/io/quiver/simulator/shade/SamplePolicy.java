package io.quiver.simulator.shade;

import io.quiver.simulator.shade.SampleTrace.Sampling;
import java.util.Locale;

/**
 * A way of choosing samples together with a way of keeping them, under the name that tables have.
 */
enum SamplePolicy {
  /** The paper's baseline. */
  LRU(Sampling.SHUFFLE, Keeping.LRU),
  /** A shared cache that evicts nothing (CoorDL). */
  MINIO(Sampling.SHUFFLE, Keeping.FIRST),
  /** Quiver, as SHADE's authors emulate it. */
  QUIVER_EMULATED(Sampling.SHUFFLE, Keeping.SUBSTITUTES),
  /** Knows the shuffles of all epochs by their seed, and prefetches (NoPFS). */
  NOPFS(Sampling.SHUFFLE, Keeping.WHOLE_FUTURE),
  LRU_SAME_DRAWS(Sampling.RANKS, Keeping.LRU),
  LFU(Sampling.RANKS, Keeping.LFU),
  RANDOM(Sampling.RANKS, Keeping.RANDOM),
  MIN(Sampling.RANKS, Keeping.WHOLE_FUTURE),
  SH_PQLFU(Sampling.BATCH_LOSSES, Keeping.SCORE_AND_USES),
  SH_PQ(Sampling.BATCH_LOSSES, Keeping.SCORE),
  SH_LRU(Sampling.BATCH_LOSSES, Keeping.LRU),
  SH_LFU(Sampling.BATCH_LOSSES, Keeping.LFU),
  SH_RAND(Sampling.BATCH_LOSSES, Keeping.RANDOM),
  /** The best that can be kept of those draws. */
  SH_MIN(Sampling.BATCH_LOSSES, Keeping.WHOLE_FUTURE),
  SH_APP(Sampling.BATCH_LOSSES, Keeping.APP),
  /** The paper's equations. */
  SHADE_PAPER(Sampling.RANKS, Keeping.APP),
  /** The authors' program: the cached part of a draw comes three times. */
  SHADE_PUBLISHED(Sampling.CACHED_THRICE, Keeping.APP),
  SHADE(Sampling.AHEAD, Keeping.TWO_LISTS),
  SHADE_REPEAT(Sampling.POOL, Keeping.TWO_LISTS);

  private final Sampling sampling;
  private final Keeping keeping;

  SamplePolicy(Sampling sampling, Keeping keeping) {
    this.sampling = sampling;
    this.keeping = keeping;
  }

  Sampling sampling() {
    return sampling;
  }

  Keeping keeping() {
    return keeping;
  }

  /** Returns the name in tables and documents. */
  String text() {
    String name = name().toLowerCase(Locale.ROOT);
    return name.startsWith("sh_") ? name : name.replace('_', '-');
  }
}
