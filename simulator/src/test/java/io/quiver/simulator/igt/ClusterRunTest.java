package io.quiver.simulator.igt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamRules;
import io.quiver.simulator.igt.ClusterRun.Result;
import io.quiver.simulator.igt.ProgramSpec.Lists;
import io.quiver.simulator.igt.ProgramSpec.Phase;
import io.quiver.simulator.keep.KeeperCache;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterRunTest {
  private static final double SCALE = 0.002;
  private static final long SEED = 5;
  private static final int EPOCHS = 8;

  private static ClusterRun run(CacheKind kind, List<ProgramSpec> programs, long bytes, long seed) {
    return new ClusterRun(
        programs,
        ClusterRun.GAP_SECONDS * SCALE,
        seed,
        (engine, store) -> kind.path(engine, store, bytes, SCALE, seed));
  }

  private static ProgramSpec training(FileSet files, int epochs) {
    return new ProgramSpec(
        1,
        "training",
        AccessPattern.RANDOM,
        List.of(new Phase(files, new BlockOrder.Shuffled(1), epochs, 1, 32, 0.0001, Lists.ALL)));
  }

  @Test
  void everyProgramReadsWhatItIsToReadWithEveryCache() {
    List<ProgramSpec> programs = Workloads.at(SCALE);
    long bytes = (long) (SCALE * Workloads.CACHE_BYTES);
    Result none = run(CacheKind.NONE, programs, bytes, SEED).run();
    for (CacheKind kind : CacheKind.values()) {
      ClusterRun run = run(kind, programs, bytes, SEED);
      Result result = run.run();
      for (int i = 0; i < result.jobs().size(); i++) {
        assertThat(result.jobs().get(i).reads())
            .as("%s, job %d", kind, i + 1)
            .isEqualTo(none.jobs().get(i).reads());
        assertThat(result.jobs().get(i).seconds()).isPositive();
      }
      assertThat(result.hitRatio()).as("%s", kind).isBetween(0.0, 1.0);
      assertThat(run.store.passedBytes())
          .as("%s: what was asked for has passed the link", kind)
          .isEqualTo(run.store.askedBytes());
      double seconds = run.store.passedBytes() / RemoteLink.BYTES_PER_SECOND;
      assertThat(run.store.busyNanos() / 1e9).as("%s", kind).isCloseTo(seconds, within(0.001));
    }
  }

  @Test
  void equalSeedsGiveEqualRunsAndOthersDoNot() {
    List<ProgramSpec> programs = Workloads.at(SCALE);
    long bytes = (long) (SCALE * Workloads.CACHE_BYTES);
    for (CacheKind kind : List.of(CacheKind.QUIVER, CacheKind.JUICEFS)) {
      ClusterRun one = run(kind, programs, bytes, SEED);
      ClusterRun same = run(kind, programs, bytes, SEED);
      ClusterRun other = run(kind, programs, bytes, SEED + 1);
      assertThat(one.run()).isEqualTo(same.run());
      assertThat(one.engine.fingerprint()).isEqualTo(same.engine.fingerprint());
      other.run();
      assertThat(other.engine.fingerprint()).isNotEqualTo(one.engine.fingerprint());
    }
  }

  @Test
  void trainingHitsWhatTheLawsOfLruAndPinningSay() {
    FileSet files = new FileSet(1, "data", 10, 2_000, 50_000);
    ProgramSpec program = training(files, EPOCHS);
    double share = 0.5;
    long bytes = (long) (share * files.bytes());
    double warm = (EPOCHS - 1.0) / EPOCHS;
    double lru = share + (1 - share) * Math.log(1 - share);
    assertThat(run(CacheKind.LRU, List.of(program), bytes, SEED).run().hitRatio())
        .isCloseTo(warm * lru, within(0.01));
    assertThat(run(CacheKind.UNIFORM, List.of(program), bytes, SEED).run().hitRatio())
        .isCloseTo(warm * share, within(0.002));
  }

  @Test
  void quiverPrefetchesWhatFitsSoThatEvenFirstReadsHit() {
    FileSet files = new FileSet(1, "data", 10, 5_000, 50_000);
    ProgramSpec program = training(files, 2);
    long bytes = 2 * files.bytes();
    double fetchedOnce = run(CacheKind.LRU, List.of(program), bytes, SEED).run().hitRatio();
    assertThat(fetchedOnce).isCloseTo(0.5, within(0.001));
    ClusterRun run = run(CacheKind.QUIVER, List.of(program), bytes, SEED);
    assertThat(run.run().hitRatio()).isGreaterThan(0.8);
    // Before the first plan there is no space.
    assertThat(run.store.passedBytes()).isLessThan(files.bytes() * 101 / 100);
  }

  @Test
  void aScanIsReadAheadOfAndTakesNoSpaceFromOthers() {
    FileSet files = new FileSet(1, "data", 0, 3_000, 100_000);
    ProgramSpec scan =
        new ProgramSpec(
            1,
            "scan",
            AccessPattern.SEQUENTIAL,
            List.of(new Phase(files, new BlockOrder.ByName(), 1, 8, 32, 0.003, Lists.ALL)));
    LivePath[] path = new LivePath[1];
    ClusterRun run =
        new ClusterRun(
            List.of(scan),
            0,
            SEED,
            (engine, store) ->
                path[0] =
                    new LivePath(
                        engine, store, files.bytes(), PlannerConfig.DEFAULT, StreamRules.STANDARD));
    Result result = run.run();
    assertThat(result.hitRatio()).isGreaterThan(0.7);
    assertThat(run.store.passedBytes()).isLessThan(files.bytes() * 11 / 10);
    assertThat(path[0].server().usedBytes()).isLessThan(files.bytes() / 4);
  }

  @Test
  void aKeeperOfServersIsTheSameCacheByItself() {
    KeeperCache cache = new KeeperCache(KeeperKind.UNIFORM, 10);
    assertThat(cache.read(1, 10)).isFalse();
    assertThat(cache.read(2, 10)).isFalse();
    assertThat(cache.read(1, 10)).isTrue();
    assertThat(cache.usedBytes()).isEqualTo(10);
  }
}
