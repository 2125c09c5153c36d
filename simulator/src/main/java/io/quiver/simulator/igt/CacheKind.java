package io.quiver.simulator.igt;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.allocate.ShiftRules;
import io.quiver.core.stream.StreamRules;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.keep.ArcCache;
import io.quiver.simulator.keep.FifoCache;
import io.quiver.simulator.keep.KeeperCache;
import io.quiver.simulator.keep.TwoRandomCache;

/** The caches that are compared from end to end. */
public enum CacheKind {
  /** The live classes with the live allocator. */
  QUIVER,
  /** The live classes with the paper's allocator: a fixed number of bytes moves in each round. */
  IGT,
  /** JuiceFS: two random blocks, of which the one read longer ago goes, and read-ahead in files. */
  JUICEFS,
  /** The least recently read block goes. */
  LRU,
  /** The first block that came goes. */
  FIFO,
  /** ARC: the space moves between what was read once and what was read again. */
  ARC,
  /** Keeps those that came first. */
  UNIFORM,
  /** Every read goes to the store. */
  NONE;

  /** Returns the word for it in documents. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Makes an empty cache. */
  ReadPath path(Engine engine, RemoteLink store, long bytes, double scale, long seed) {
    return switch (this) {
      case QUIVER ->
          new LivePath(engine, store, bytes, PlannerConfig.DEFAULT, StreamRules.STANDARD);
      case IGT ->
          new LivePath(
              engine,
              store,
              bytes,
              PlannerConfig.DEFAULT
                  .withKind(PlannerKind.IGT)
                  .withShifts(ShiftRules.PAPER.scaled(scale)),
              StreamRules.STANDARD);
      case JUICEFS ->
          new PlainPath(
              engine, store, new TwoRandomCache(bytes, SeededNumbers.of(seed, "victims")), true);
      case LRU -> new PlainPath(engine, store, new KeeperCache(KeeperKind.RECENT, bytes), false);
      case FIFO -> new PlainPath(engine, store, new FifoCache(bytes), false);
      case ARC -> new PlainPath(engine, store, new ArcCache(bytes), false);
      case UNIFORM ->
          new PlainPath(engine, store, new KeeperCache(KeeperKind.UNIFORM, bytes), false);
      case NONE -> new PlainPath(engine, store, new EmptyCache(), false);
    };
  }
}
