package io.quiver.benchmarks.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.experiment.Allocations;
import io.quiver.simulator.experiment.Failure;
import io.quiver.simulator.experiment.Figure3;
import io.quiver.simulator.experiment.Figure4;
import io.quiver.simulator.experiment.Figure6;
import io.quiver.simulator.experiment.Figure7;
import io.quiver.simulator.experiment.ProgressMeter.Sample;
import io.quiver.simulator.experiment.Sharing;
import io.quiver.simulator.result.SimulationResult.ChunkResidency;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Verdicts and captions of experiments follow from their results: other results, other verdicts.
 */
class ObservationTest {
  private static void assertGood(Reproduction result) {
    assertThat(result.good()).as("%s", result.remarks()).isTrue();
    assertThat(result.remarks()).noneMatch(remark -> remark.startsWith("NOT SHOWN"));
  }

  private static void assertNotShown(Reproduction result, String part) {
    assertThat(result.good()).isFalse();
    assertThat(result.remarks())
        .anyMatch(remark -> remark.startsWith("NOT SHOWN") && remark.contains(part));
  }

  private static Reproduction table3(double miss, double hit, double ours) {
    return QuiverTable3.told(
        List.of(
            new QuiverTable3.Row(
                "ResNet50", miss, hit, 722, ours, new QuiverTable3.Published(2505, 646, 1064))));
  }

  @Test
  void table3IsGoodOnlyIfAColdCacheIsAsFastAsAFullOne() {
    assertGood(table3(2507, 644, 648));
    assertNotShown(table3(2507, 644, 660), "1.025 of it");
    assertNotShown(table3(2000, 644, 648), "0.798");
    assertThat(table3(2507, 644, 660).pictures().getFirst().svg()).contains("cold cache 660");
  }

  private static Reproduction figure3(double hit, double ours) {
    List<Sample> none = List.of(new Sample(0, 0), new Sample(2507, 7000));
    List<Sample> cached = List.of(new Sample(0, 0), new Sample(hit, 7000));
    List<Sample> cold = List.of(new Sample(0, 0), new Sample(ours, 7000));
    return QuiverFigure3.told(List.of(new Figure3.Panel("ResNet50", none, cached, none, cold)));
  }

  @Test
  void figure3IsGoodOnlyIfTheCurvesMeet() {
    assertGood(figure3(650, 650));
    assertNotShown(figure3(650, 720), "1.108");
  }

  private static Reproduction figure4(
      Figure4.Source source, double interval, double untransformedPerSecond) {
    List<Figure4.MiniBatch> batches = new ArrayList<>();
    for (double start = 5; start < 5 + 20 * interval - 1e-9; start += interval) {
      double gpu = start + 0.4;
      batches.add(new Figure4.MiniBatch(start, start + 0.1, start + 0.1, gpu, gpu, gpu + 0.092));
    }
    return QuiverFigure4.told(
        new Figure4.Outcome(source, batches, 1 / interval, untransformedPerSecond));
  }

  @Test
  void figure4IsGoodOnlyIfTheGpusWaitForTheStore() {
    assertGood(figure4(Figure4.Source.REMOTE, 0.358, 2.79));
    assertNotShown(figure4(Figure4.Source.REMOTE, 0.1, 10), "idle most of the time (8.0 %)");
    assertThat(figure4(Figure4.Source.REMOTE, 0.358, 2.79).table().rows()).hasSize(21);
  }

  @Test
  void figure5IsGoodOnlyIfTheGpusAreBusyAndTransformingIsHidden() {
    assertGood(figure4(Figure4.Source.HITS, 0.092, 10.87));
    assertNotShown(figure4(Figure4.Source.HITS, 0.15, 1 / 0.15), "busy (61.3 %)");
    assertNotShown(figure4(Figure4.Source.HITS, 0.092, 12), "0.906 times as fast as without");
  }

  private static Figure6.Outcome figure6(double factor, double bound, double... speedups) {
    List<Figure6.Row> rows = new ArrayList<>();
    String[] planners = {"none", "lru", "greedy3", "marginal"};
    Allocations.Allocation window =
        new Allocations.Allocation("imagenet", "window", 28_000_000_000L, 154_000_000_000L);
    for (int i = 0; i < planners.length; i++) {
      List<Sample> line = List.of(new Sample(10, 1), new Sample(30, speedups[i]));
      rows.add(
          new Figure6.Row(
              100, planners[i], speedups[i], OptionalDouble.empty(), List.of(window), line));
    }
    return new Figure6.Outcome(factor, bound, rows);
  }

  @Test
  void figure6IsGoodOnlyIfNoOtherPlannerIsBetterWhereTheyDiffer() {
    Figure6.Outcome paper = figure6(1, 2.49, 1, 1.19, 2.47, 2.49);
    assertGood(QuiverFigure6.told(paper, figure6(0.5, 4.97, 1, 1.24, 3.66, 4.02)));
    Reproduction beaten = QuiverFigure6.told(paper, figure6(0.5, 4.97, 1, 1.24, 4.2, 4.02));
    assertNotShown(beaten, "greedy3 4.200");
    assertThat(beaten.pictures().getLast().svg()).contains("greedy3 ends at 4.200");
    Figure6.Outcome short6 = figure6(1, 2.49, 1, 1.19, 2.3, 2.4);
    assertNotShown(
        QuiverFigure6.told(short6, figure6(0.5, 4.97, 1, 1.24, 3.66, 4.02)), "2.400 of 2.490");
  }

  @Test
  void figure6ShowsAllocationsAndComparesThemWithThePapers() {
    Figure6.Outcome half = figure6(0.5, 4.97, 1, 1.24, 3.66, 4.02);
    Figure6.Outcome windows = figure6(1, 2.49, 1, 1.19, 2.47, 2.49);
    Reproduction told = QuiverFigure6.told(windows, half);
    assertThat(told.table().rows()).anyMatch(row -> row.contains("imagenet window 28"));
    assertThat(told.remarks()).contains("With 100 GB greedy3 holds all of none, as was published.");
    List<Figure6.Row> whole = new ArrayList<>(windows.rows());
    Figure6.Row greedy = whole.get(2);
    whole.set(
        2,
        new Figure6.Row(
            100,
            greedy.planner(),
            greedy.speedup(),
            greedy.paper(),
            List.of(new Allocations.Allocation("librispeech", "whole", 90, 90)),
            greedy.timeline()));
    assertNotShown(
        QuiverFigure6.told(new Figure6.Outcome(1, 2.49, whole), half), "all of librispeech");
  }

  private static Figure7.Outcome figure7(
      int rotating, boolean pinned, double after, double jobAfter, int firstChunk) {
    return new Figure7.Outcome(
        1,
        11,
        List.of(),
        List.of(new ChunkResidency("imagenet", 0, !pinned, 0, 10)),
        rotating,
        43.5,
        after,
        10,
        jobAfter,
        List.of(new Sample(5, 40)),
        List.of(new Figure7.LateStart("late", 900, List.of(firstChunk), List.of(8, 9))));
  }

  @Test
  void figure7CountsItsChunksAndTheGainOfAJob() {
    Figure7.Outcome good = figure7(2, false, 76, 14, 9);
    Reproduction told = QuiverFigure7.told(good, good);
    assertGood(told);
    assertThat(told.remarks()).anyMatch(remark -> remark.contains("2 of 11"));
    assertThat(told.remarks()).anyMatch(remark -> remark.contains("1.400 times as fast"));
    assertNotShown(QuiverFigure7.told(figure7(3, false, 76, 14, 9), good), "3 of 11");
    assertNotShown(QuiverFigure7.told(figure7(2, true, 76, 14, 9), good), "some are pinned");
    assertNotShown(QuiverFigure7.told(figure7(2, false, 40, 14, 9), good), "from 43.5 to 40.0");
    assertNotShown(QuiverFigure7.told(figure7(2, false, 76, 14, 1), good), "chunks [1]");
    assertNotShown(QuiverFigure7.told(good, figure7(2, false, 76, 10, 9)), "1.000 times as fast");
  }

  private static Reproduction sharing(double speedup, double reads) {
    return QuiverSharing.told(
        List.of(
            new Sharing.Row("one job", 1, 0.5, 895, 897, 895 / speedup, speedup, reads, 1, "")));
  }

  @Test
  void sharingIsGoodOnlyIfEveryScenarioGains() {
    assertGood(sharing(1.59, 0.5));
    assertNotShown(sharing(0.9, 0.5), "0.9 ×");
    assertNotShown(sharing(1.59, 1.2), "1.200 instead of 1.000");
  }

  private static Failure.Outcome lost(String cache, double worst, double after) {
    return new Failure.Outcome(
        1, cache, 0.25, List.of(new Sample(1000, 76)), 76, worst, after, 10, 0, 100e6);
  }

  @Test
  void aLostServerIsToldAsItWas() {
    assertGood(QuiverFailure.told(List.of(lost("planned", 74, 76), lost("lru", 40, 76))));
    assertNotShown(
        QuiverFailure.told(List.of(lost("planned", 30, 76), lost("lru", 40, 76))), "39.5 %");
    Reproduction limping =
        QuiverFailure.told(List.of(lost("planned", 74, 60), lost("lru", 40, 76)));
    assertNotShown(limping, "78.9 %");
    assertThat(limping.pictures().getFirst().svg()).contains("keeps 97.4 %");
  }

  @Test
  void everyEpochIsComparedWithTheSimulatorAndTheLastIsJudged() {
    List<LiveTable3.ComparedEpoch> epochs =
        List.of(
            LiveTable3.ComparedEpoch.of(10, 5),
            LiveTable3.ComparedEpoch.of(5.5, 5),
            LiveTable3.ComparedEpoch.of(5.1, 5));
    Reproduction told = LiveTable3.told(List.of(LiveTable3.Row.of("ResNet50", "planned", epochs)));
    assertGood(told);
    assertThat(told.table().rows()).hasSize(4);
    assertThat(told.remarks()).anyMatch(remark -> remark.contains("took 5.0 s more"));
    List<LiveTable3.ComparedEpoch> slow = List.of(epochs.get(0), epochs.get(1), epochs.get(0));
    assertNotShown(
        LiveTable3.told(List.of(LiveTable3.Row.of("ResNet50", "planned", slow))), "0.500");
  }
}
