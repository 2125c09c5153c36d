package io.quiver.benchmarks.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.benchmarks.reproduce.PaperClaim.Result;
import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.simulator.shade.AccessStudy;
import io.quiver.simulator.shade.ConvergenceStudy;
import io.quiver.simulator.shade.ShadeStudy;
import io.quiver.simulator.shade.TimedStudy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Verdicts on SHADE's figures follow from the results: other results, other verdicts. */
class ShadeObservationTest {
  private static void assertGood(Reproduction result) {
    assertThat(result.good()).as("%s", result.remarks()).isTrue();
  }

  private static void assertNotShown(Reproduction result, String part) {
    assertThat(result.good()).isFalse();
    assertThat(result.remarks())
        .anyMatch(remark -> remark.startsWith("NOT SHOWN") && remark.contains(part));
  }

  @Test
  void aClaimIsJudgedByItsResultsAndExplainedWhereNoneAgrees() {
    PaperClaim claim =
        PaperClaim.of(
            "Speed", 2, List.of(new Value("a", 1.9), new Value("b", 3), new Value("c", 1)), "Why.");
    assertThat(claim.results())
        .extracting(Result::verdict)
        .containsExactly("as published", "more", "less");
    assertThat(claim.sentence())
        .isEqualTo("Speed: 2 in the paper; here a 1.9 (as published), b 3 (more), c 1 (less).");
    PaperClaim missed =
        PaperClaim.of("Time", 2, List.of(new Value("a", Double.POSITIVE_INFINITY)), "Why.");
    assertThat(missed.sentence()).isEqualTo("Time: 2 in the paper; here a (never). Why.");
  }

  private static List<AccessStudy.Row> accesses(double twice, double important) {
    List<AccessStudy.Row> rows = new ArrayList<>();
    List<Double> scores = Collections.nCopies(AccessStudy.PARTS, 1.0 / AccessStudy.PARTS);
    for (String sampling : List.of("batch-losses", "ranks")) {
      for (int epoch : List.of(1, 20, 89)) {
        double share = epoch == 1 ? 0.02 : important;
        rows.add(new AccessStudy.Row(sampling, epoch, twice, 0.09, share, scores));
      }
    }
    return rows;
  }

  @Test
  void figures2And3CompareAccessesAndScoresWithThePapers() {
    Reproduction reads = new ShadeAccesses(false).told(accesses(0.264, 0.5));
    assertGood(reads);
    assertThat(reads.remarks())
        .contains(
            "Share of the samples read more than once in epoch 1: 0.265 in the paper; here"
                + " batch-losses 0.264 (as published), ranks 0.264 (as published).");
    assertNotShown(new ShadeAccesses(false).told(accesses(0.5, 0.5)), "50.0 % and 9.0 %");
    assertGood(new ShadeAccesses(true).told(accesses(0.264, 0.5)));
    assertNotShown(new ShadeAccesses(true).told(accesses(0.264, 0.03)), "3.0 % in epoch 20");
    assertThat(new ShadeAccesses(true).told(accesses(0.264, 0.9)).remarks())
        .anyMatch(remark -> remark.contains("0.900 (more)") && remark.contains("52.5 %"));
  }

  private static Reproduction convergence(double shuffled, double drawn) {
    List<ConvergenceStudy.Row> rows = new ArrayList<>();
    for (String dataset : List.of("few-classes", "many-classes")) {
      for (String sampling : List.of("shuffle", "batch-losses")) {
        double accuracy = sampling.equals("shuffle") ? shuffled : drawn;
        rows.add(
            new ConvergenceStudy.Row(
                dataset,
                sampling,
                Collections.nCopies(30, 1.0),
                Collections.nCopies(30, accuracy)));
      }
    }
    return ShadeFigure4.told(rows);
  }

  @Test
  void figure4IsGoodIfImportanceCostsNoAccuracyOnFewClasses() {
    assertGood(convergence(0.9, 0.895));
    assertNotShown(convergence(0.9, 0.85), "85.0 % instead of 90.0 %");
    assertThat(convergence(0.9, 0.85).remarks())
        .anyMatch(remark -> remark.contains("here batch-losses (never). After 20 epochs"));
  }

  private static List<ShadeStudy.Row> hits(Map<String, Double> times, double coverage) {
    List<ShadeStudy.Row> rows = new ArrayList<>();
    for (String policy :
        List.of(
            "lru",
            "minio",
            "quiver-emulated",
            "nopfs",
            "lru-same-draws",
            "min",
            "sh_pqlfu",
            "sh_pq",
            "sh_lru",
            "sh_lfu",
            "sh_rand",
            "sh_min",
            "sh_app",
            "shade-paper",
            "shade-published",
            "shade",
            "shade-repeat")) {
      for (double fraction : new double[] {0.1, 0.2, 0.5, 0.75}) {
        double hits = Math.min(0.95, fraction * times.getOrDefault(policy, 1.0));
        rows.add(new ShadeStudy.Row(policy, fraction, hits, coverage));
      }
    }
    return rows;
  }

  private static final Map<String, Double> TIMES =
      Map.of("shade", 4.5, "shade-repeat", 4.0, "shade-published", 3.6, "min", 1.2, "sh_min", 3.0);

  @Test
  void figure5IsGoodIfOnlyTheFutureHelps() {
    assertGood(ShadeHits.figure5().told(hits(TIMES, 0.1)));
    assertNotShown(ShadeHits.figure5().told(hits(Map.of(), 0.1)), "1.0 × LRU");
    assertNotShown(ShadeHits.figure5().told(hits(TIMES, 0.9)), "No policy hits more");
  }

  @Test
  void figure7IsGoodOnlyWithOurHitsAndCoverage() {
    Reproduction low = ShadeHits.figure7().told(hits(TIMES, 0.3));
    assertNotShown(low, "reads 30.0 % of the samples");
    assertThat(low.remarks())
        .anyMatch(remark -> remark.contains("shade 4.5 (as published), shade-repeat 4 (less)"));
    assertNotShown(
        ShadeHits.figure7().told(hits(Map.of(), 0.6)), "at least 0.430 at 10.0 % (0.100)");
    assertNotShown(ShadeHits.figure7().told(hits(Map.of(), 0.6)), "turns 0.100");
  }

  @Test
  void figure12IsGoodOnlyIfRepetitionReachesThePapersHitsAtThePriceOfCoverage() {
    assertGood(ShadeHits.figure12().told(hits(TIMES, 0.25)));
    assertNotShown(ShadeHits.figure12().told(hits(Map.of(), 0.25)), "at least 0.725");
    assertNotShown(ShadeHits.figure12().told(hits(TIMES, 0.48)), "reads 48.0 % of the samples");
  }

  private static List<TimedStudy.Row> timed(double rate, double deviation, double accuracy) {
    List<TimedStudy.Row> rows = new ArrayList<>();
    for (double fraction : TimedStudy.FRACTIONS) {
      for (String policy :
          List.of("lru", "nopfs", "shade-paper", "shade-published", "shade", "shade-repeat")) {
        boolean slow = policy.equals("lru") || policy.equals("nopfs");
        double samples = slow ? 1000 : rate;
        rows.add(
            new TimedStudy.Row(
                policy,
                fraction,
                0.4,
                0.6,
                samples,
                100 / samples,
                slow ? 0.02 : deviation,
                100_000 / samples,
                slow ? 0.94 : accuracy,
                List.of(new TimedStudy.Tested(100_000 / samples, 0.9))));
      }
    }
    return rows;
  }

  @Test
  void figures8To11AreGoodOnlyIfSamplesComeFaster() {
    for (int figure = 8; figure <= 11; figure++) {
      assertGood(new ShadeTimes(figure).told(timed(3000, 0.01, 0.935)));
      assertThat(new ShadeTimes(figure).told(timed(3000, 0.01, 0.935)).pictures()).isNotEmpty();
    }
    assertNotShown(new ShadeTimes(8).told(timed(1100, 0.01, 0.935)), "(1.1 ×)");
    assertNotShown(new ShadeTimes(8).told(timed(3000, 0.01, 0.92)), "92.0 % instead of 94.0 %");
    assertNotShown(new ShadeTimes(9).told(timed(1500, 0.01, 0.935)), "at least 1.7 ×");
    assertNotShown(new ShadeTimes(10).told(timed(3000, 0.03, 0.935)), "30.0 ms instead of 20.0");
    assertNotShown(new ShadeTimes(11).told(timed(1100, 0.01, 0.935)), "as fast as nopfs");
    assertThat(new ShadeTimes(10).told(timed(3000, 0.03, 0.935)).remarks())
        .anyMatch(remark -> remark.startsWith("At 10.0 % the load time of shade varies more"));
  }
}
