package io.quiver.benchmarks.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.igt.pattern.RecognitionStudy;
import io.quiver.simulator.igt.pattern.RecognitionStudy.Row;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Verdicts on recognition follow from the results: other results, other verdicts. */
class IgtRecognitionTest {
  /** Accuracies by kind, ours and of gaps alone, at a value that is varied. */
  private record Accuracies(
      double random, double adjacent, double scattered, double gapsRandom, double gapsAdjacent) {}

  private static final Accuracies GOOD = new Accuracies(0.991, 0.99, 0.98, 0.985, 0.98);

  private static List<Row> rows(int window, double level, Accuracies shown) {
    return List.of(
        new Row("job-9", "random", window, level, 1000, shown.random, shown.gapsRandom),
        new Row("job-18", "random", window, level, 1000, shown.random, shown.gapsRandom),
        new Row(
            "job-14-adjacent", "skewed", window, level, 1000, shown.adjacent, shown.gapsAdjacent),
        new Row("job-14-scattered", "skewed", window, level, 1000, shown.scattered, 0.05));
  }

  private static Reproduction levels(Accuracies usual) {
    List<Row> rows = new ArrayList<>();
    for (double level : RecognitionStudy.LEVELS) {
      rows.addAll(rows(100, level, level == 0.01 ? usual : new Accuracies(0.95, 1, 1, 0.95, 0.99)));
    }
    return IgtRecognition.figure14().told(rows);
  }

  private static Reproduction windows(Accuracies usual, double gapsAtTen) {
    List<Row> rows = new ArrayList<>();
    for (int window : RecognitionStudy.WINDOWS) {
      rows.addAll(
          rows(
              window,
              0.01,
              window == 10 ? new Accuracies(0.99, 0.4, 0.4, 0.98, gapsAtTen) : usual));
    }
    return IgtRecognition.figure15().told(rows);
  }

  private static void assertNotShown(Reproduction result, String part) {
    assertThat(result.good()).isFalse();
    assertThat(result.remarks())
        .anyMatch(remark -> remark.startsWith("NOT SHOWN") && remark.contains(part));
  }

  @Test
  void figure14IsGoodIfRandomStreamsAreSparedAndScatteredOnesFound() {
    Reproduction good = levels(GOOD);
    assertThat(good.good()).as("%s", good.remarks()).isTrue();
    assertThat(good.table().rows()).hasSize(1 + RecognitionStudy.LEVELS.size());
    assertThat(good.pictures()).hasSize(3);
    assertNotShown(levels(new Accuracies(0.98, 0.99, 0.98, 0.985, 0.98)), "2.0 % of the random");
    assertNotShown(levels(new Accuracies(0.991, 0.99, 0.9, 0.985, 0.98)), "tests 90.0 %");
    assertNotShown(levels(new Accuracies(0.991, 0.99, 0.98, 0.94, 0.98)), "94.0 % instead of 95.0");
  }

  @Test
  void figure15IsGoodIfAHundredReadsAreEnoughAndTenAreNot() {
    Reproduction good = windows(GOOD, 0.3);
    assertThat(good.good()).as("%s", good.remarks()).isTrue();
    assertThat(good.table().rows()).hasSize(1 + RecognitionStudy.WINDOWS.size());
    assertThat(good.remarks()).anyMatch(remark -> remark.contains("states no number"));
    assertNotShown(windows(GOOD, 0.98), "98.0 % of the skewed windows");
    assertNotShown(windows(new Accuracies(0.96, 0.99, 0.98, 0.985, 0.98), 0.3), "96.0 % of the");
  }
}
