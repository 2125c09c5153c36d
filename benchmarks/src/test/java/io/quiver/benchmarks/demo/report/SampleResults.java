package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.report.DemoResult.OrderQuality;
import io.quiver.benchmarks.demo.run.DemoJobResult;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.benchmarks.demo.run.RunResult.ResidencyChange;
import io.quiver.benchmarks.demo.run.Timeline.Moment;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.node.job.EpochResult.LoopTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Results made up for tests of what is shown of them. */
final class SampleResults {
  static final int ITEMS = 1000;
  static final int JOBS = 2;

  private SampleResults() {}

  static DemoResult all() {
    return of(
        run(DemoMode.NONE, 40, 4000, 0, true),
        run(DemoMode.LRU, 36, 3600, 0, true),
        run(DemoMode.QUIVER, 10, 1810, 150, true),
        run(DemoMode.ALL_CACHED, 9.9, 0, 0, true));
  }

  static DemoResult of(RunResult... runs) {
    return new DemoResult(
        scenario(),
        ITEMS,
        20_000_000,
        List.of(runs),
        List.of(new OrderQuality("job-1, epoch 2", "mean <displacement>", 331.5, 333.3)));
  }

  static DemoScenario scenario() {
    return new DemoScenario(
        JOBS,
        2,
        32,
        new DemoScenario.Work(Duration.ofSeconds(5), List.of(1.0), Duration.ZERO),
        0.2,
        new DemoScenario.Store(4_000_000, Duration.ofMillis(10)),
        PlannerKind.MARGINAL,
        1);
  }

  static RunResult run(
      DemoMode mode, double seconds, long reads, long pinned, boolean exactlyOnce) {
    List<Moment> moments = new ArrayList<>();
    for (int i = 0; i <= 10; i++) {
      moments.add(
          new Moment(
              seconds * i / 10,
              reads * 20_000 * i / 10,
              reads * i / 10,
              List.of(200L * i, 200L * i)));
    }
    return new RunResult(
        mode,
        seconds,
        ITEMS,
        2,
        new RunResult.FetchedItems(reads, reads * 20_000, pinned),
        mode == DemoMode.QUIVER ? 0.05 : 0,
        List.of(job(0, seconds, reads / 2, true), job(1, seconds, reads / 2, exactlyOnce)),
        new RunResult.Recording(
            moments, mode == DemoMode.QUIVER ? residency() : List.of(), List.of()));
  }

  private static DemoJobResult job(int index, double seconds, long reads, boolean exactlyOnce) {
    return new DemoJobResult(
        "job-" + (index + 1),
        1,
        0,
        List.of(seconds / 2, seconds),
        new LoaderStatistics(
            new LoaderStatistics.DeliveredItems(20, 2000, 0, 2000 - Math.min(2000, reads), 0, 0),
            new LoaderStatistics.StoreTraffic(reads, 0, 0, index, 0, 0, 0),
            new LoaderStatistics.BatchTimes(0, 0, 0, 0)),
        new LoopTimes(seconds - 9.8, 9.8),
        exactlyOnce,
        exactlyOnce ? "fine" : "3 items missing");
  }

  private static List<ResidencyChange> residency() {
    ChunkEntry pinned = new ChunkEntry(0, 1, ChunkRole.PINNED, ChunkState.ACTIVE);
    return List.of(
        new ResidencyChange(
            0.5, 8, List.of(pinned, new ChunkEntry(3, 2, ChunkRole.ROTATING, ChunkState.LOADING))),
        new ResidencyChange(
            2,
            8,
            List.of(
                pinned,
                new ChunkEntry(3, 2, ChunkRole.ROTATING, ChunkState.ACTIVE),
                new ChunkEntry(4, 3, ChunkRole.ROTATING, ChunkState.LOADING))),
        new ResidencyChange(
            6,
            8,
            List.of(
                pinned,
                new ChunkEntry(3, 2, ChunkRole.ROTATING, ChunkState.MARKED),
                new ChunkEntry(4, 3, ChunkRole.ROTATING, ChunkState.ACTIVE))));
  }
}
