package io.quiver.benchmarks.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.igt.eviction.EvictionStudy;
import io.quiver.simulator.igt.eviction.EvictionStudy.Policy;
import io.quiver.simulator.igt.eviction.EvictionTimes;
import io.quiver.simulator.igt.prefetch.PrefetchStudy;
import io.quiver.simulator.igt.prefetch.PrefetchStudy.Way;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Verdicts on IGTCache's Figures 2, 9 and 10 follow from the results: other results, others. */
class IgtComparisonTest {
  private static final Experiment.Setting SETTING = new Experiment.Setting(2, 1, "");

  private static void assertGood(Reproduction result) {
    assertThat(result.good()).as("%s", result.remarks()).isTrue();
    assertThat(result.pictures()).isNotEmpty();
  }

  private static void assertNotShown(Reproduction result, String part) {
    assertThat(result.good()).isFalse();
    assertThat(result.remarks())
        .anyMatch(remark -> remark.startsWith("NOT SHOWN") && remark.contains(part));
  }

  private static PrefetchStudy.Row ahead(String job, Way way, double seconds, long wasted) {
    return new PrefetchStudy.Row(job, way.text(), seconds, 0.5, 0.25, 100, wasted);
  }

  private static List<PrefetchStudy.Row> jobs(double ours, long wasted) {
    List<PrefetchStudy.Row> rows = new ArrayList<>();
    for (String job : List.of("2", "4", "7")) {
      for (Way way : Way.COMPARED) {
        double seconds = way == Way.QUIVER ? ours : way == Way.JUICEFS ? 80 : 100;
        rows.add(ahead(job, way, seconds, way == Way.QUIVER ? wasted : 0));
      }
    }
    rows.add(ahead("4", Way.NEXT_DIRECTORIES, 15.7 * ours, 900));
    return rows;
  }

  @Test
  void figure9IsGoodOnlyIfMuchTimeIsSavedAndNothingReadInVain() {
    Reproduction good = IgtPrefetching.told(jobs(20, 0));
    assertGood(good);
    assertThat(good.remarks())
        .anyMatch(remark -> remark.contains("0.649 in the paper; here quiver 0.750 (more). Four"))
        .anyMatch(remark -> remark.contains("15.7 in the paper; here next-directories 15.7 (as"));
    assertNotShown(IgtPrefetching.told(jobs(40, 0)), "50.0 % less time");
    assertNotShown(IgtPrefetching.told(jobs(20, 3)), "3 of 100 blocks were read in vain");
    assertNotShown(IgtPrefetching.told(jobs(90, 0)), "No job is slower");
  }

  private static List<EvictionTimes.Row> evicted(double ours, double arcOnTraining) {
    List<EvictionTimes.Row> rows = new ArrayList<>();
    for (Policy policy : EvictionTimes.COMPARED) {
      boolean is = policy == Policy.QUIVER;
      double training =
          is || policy == Policy.UNIFORM ? 0.5 : policy == Policy.ARC ? arcOnTraining : 0.15;
      double queries = is ? ours : policy == Policy.UNIFORM ? 0.6 : 0.8;
      rows.add(timed("9", "random", policy, training));
      rows.add(timed("16", "skewed", policy, queries));
    }
    return rows;
  }

  private static EvictionTimes.Row timed(String job, String pattern, Policy policy, double hits) {
    return new EvictionTimes.Row(job, pattern, policy.text(), 1000 * (1 - hits), hits);
  }

  @Test
  void figure10IsGoodOnlyIfEveryJobHitsAsWithItsBestRule() {
    Reproduction good = IgtEviction.told(evicted(0.8, 0.15));
    assertGood(good);
    assertThat(good.pictures().getFirst().svg()).contains("job 9");
    assertNotShown(IgtEviction.told(evicted(0.75, 0.15)), "at most 0.050");
    assertNotShown(IgtEviction.told(evicted(0.55, 0.15)), "ours hits most");
    assertNotShown(IgtEviction.told(evicted(0.8, 0.4)), "ARC is no better");
  }

  private static Reproduction figure2(double blocksOnImages, double lruOnTraining, double ours) {
    List<PrefetchStudy.Row> times =
        List.of(
            ahead("5", Way.NONE, 100, 0),
            ahead("5", Way.JUICEFS, 77.3, 0),
            ahead("5", Way.NEXT_FILES, 100, 0),
            ahead("5", Way.QUIVER, 77, 0),
            ahead("8", Way.NONE, 100, 0),
            ahead("8", Way.JUICEFS, blocksOnImages, 0),
            ahead("8", Way.NEXT_FILES, 21.7, 0),
            ahead("8", Way.QUIVER, 5, 0));
    List<EvictionStudy.Row> hits =
        List.of(
            kept("drifting", Policy.LRU, 0.87),
            kept("drifting", Policy.UNIFORM, 0.6),
            kept("drifting", Policy.QUIVER, ours),
            kept("random", Policy.LRU, lruOnTraining),
            kept("random", Policy.UNIFORM, 0.5),
            kept("random", Policy.QUIVER, 0.5));
    return IgtMotivation.told(times, hits);
  }

  private static EvictionStudy.Row kept(String workload, Policy policy, double hits) {
    return new EvictionStudy.Row(workload, 0.5, policy.text(), hits);
  }

  @Test
  void figure2IsGoodOnlyIfNeitherSuitsAllAndRecognitionDoes() {
    Reproduction good = figure2(100, 0.152, 0.87);
    assertGood(good);
    assertThat(good.remarks())
        .anyMatch(remark -> remark.contains("-0.348 in the paper; here lru -0.348 (as published)"));
    assertNotShown(figure2(50, 0.152, 0.87), "files the other way round");
    assertNotShown(figure2(100, 0.6, 0.87), "worse for the training");
    assertNotShown(figure2(100, 0.152, 0.7), "about as good as with the better");
  }

  @Test
  void smallRunsOfTheFiguresComeOutRight() throws Exception {
    assertGood(new IgtMotivation(0.1, 2000).run(SETTING, (done, all) -> {}));
    assertGood(new IgtPrefetching(0.3).run(SETTING, (done, all) -> {}));
    assertGood(new IgtEviction(2000).run(SETTING, (done, all) -> {}));
  }
}
