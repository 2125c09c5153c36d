package io.quiver.simulator.igt.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.igt.pattern.RecognitionStudy.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recognition is as sure as promised, on drawn reads of a fixed seed. */
class RecognitionStudyTest {
  private static final List<Row> ROWS = RecognitionStudy.doors(200, 1, Runs.Listener.NONE);

  private static Row row(String pattern, int window) {
    return ROWS.stream()
        .filter(row -> row.pattern().equals(pattern) && row.window() == window)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no row of " + pattern + " at " + window));
  }

  private static double accuracy(String pattern) {
    return row(pattern, 100).accuracy();
  }

  @Test
  void everyPatternIsSureAtTheLongWindow() {
    assertThat(ROWS.stream().filter(row -> row.window() == 1000))
        .hasSize(StudiedWorkloads.all().size())
        .allSatisfy(row -> assertThat(row.accuracy()).isGreaterThanOrEqualTo(0.95));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zipf-0.8-adjacent",
        "zipf-1.0-scattered",
        "zipf-1.0-adjacent",
        "zipf-1.2-scattered",
        "zipf-1.2-adjacent"
      })
  void popularItemsAreFoundInAHundredReadsWhereverTheyLie(String pattern) {
    assertThat(accuracy(pattern)).isGreaterThanOrEqualTo(0.97);
  }

  @Test
  void aWeakSkewIsFoundAsOftenAsItsRepeatsAllow() {
    // In 3.4 % of windows two reads at most repeat others, as often as uniform reads do.
    assertThat(accuracy("zipf-0.8-scattered")).isGreaterThanOrEqualTo(0.94);
    assertThat(accuracy("zipf-0.6-scattered")).isLessThan(0.5);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16, 32})
  void parallelReadersAreSequential(int readers) {
    String name = "sequential-" + readers + (readers == 1 ? "-reader" : "-readers");
    assertThat(accuracy(name)).isGreaterThanOrEqualTo(0.97);
    if (readers > 1) {
      assertThat(accuracy(name + "-mixed")).isGreaterThanOrEqualTo(0.97);
      assertThat(accuracy(name + "-sharded")).isGreaterThanOrEqualTo(0.97);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shuffled-in-16",
        "shuffled-in-64",
        "every-8th",
        "unlisted-sequential-1-reader",
        "pieces-sequential",
        "loop-of-10"
      })
  void disorderedPartialAndRepeatedScansAreRecognised(String pattern) {
    assertThat(accuracy(pattern)).isGreaterThanOrEqualTo(0.97);
  }

  @ParameterizedTest
  @CsvSource({"100", "1000"})
  void uniformReadsRaiseOneFalseAlarmInAHundredAtMost(int window) {
    List<Row> uniform =
        ROWS.stream()
            .filter(row -> row.pattern().contains("uniform") && row.window() == window)
            .toList();
    assertThat(uniform).hasSizeGreaterThan(8);
    assertThat(uniform).allSatisfy(row -> assertThat(row.accuracy()).isGreaterThan(0.965));
    // Half a percent above one is three deviations of the mean of so many windows.
    assertThat(mean(uniform, Row::accuracy)).isGreaterThan(0.985);
  }

  @Test
  void gapsAloneAreBlindToScatteredPopularityAndParallelReaders() {
    assertThat(row("zipf-0.8-scattered", 100).gapsAlone()).isLessThan(0.1);
    assertThat(row("sequential-8-readers", 100).gapsAlone()).isZero();
    assertThat(row("uniform-of-10", 1000).gapsAlone()).isLessThan(0.1);
    assertThat(row("zipf-1.0-adjacent", 100).gapsAlone()).isGreaterThan(0.97);
    assertThat(row("uniform-1-job", 100).gapsAlone()).isGreaterThan(0.95);
    assertThat(row("sequential-1-reader", 100).gapsAlone()).isEqualTo(1);
  }

  @Test
  void aStrictLevelSparesRandomStreamsAndMissesSkewedOnes() {
    List<Row> rows = RecognitionStudy.levels(100, 1, Runs.Listener.NONE);
    assertThat(rows).hasSize(PublishedWorkloads.all().size() * RecognitionStudy.LEVELS.size());
    ToDoubleFunction<Row> papers = Row::gapsAlone;
    assertThat(at(rows, "random", 0.01, papers)).isGreaterThan(at(rows, "random", 0.1, papers));
    assertThat(at(rows, "skewed", 0.01, papers)).isLessThan(at(rows, "skewed", 0.1, papers));
    ToDoubleFunction<Row> ours = Row::accuracy;
    assertThat(at(rows, "random", 0.01, ours)).isGreaterThan(at(rows, "random", 0.1, ours));
  }

  @Test
  void tenReadsAreTooFewAndAHundredEnough() {
    List<Row> rows = RecognitionStudy.windows(60, 1, Runs.Listener.NONE);
    for (String pattern : List.of("job-14-scattered", "job-14-adjacent", "job-17-adjacent")) {
      List<Row> of = rows.stream().filter(row -> row.pattern().equals(pattern)).toList();
      assertThat(of).extracting(Row::window).isEqualTo(RecognitionStudy.WINDOWS);
      assertThat(of.getFirst().accuracy()).isLessThan(0.9);
      assertThat(of.get(RecognitionStudy.WINDOWS.indexOf(100)).accuracy()).isGreaterThan(0.95);
      assertThat(of.getLast().accuracy()).isEqualTo(1);
    }
  }

  @Test
  void aSeedDecidesEverythingAndStepsAreTold() {
    List<Integer> steps = new ArrayList<>();
    List<Row> rows = RecognitionStudy.doors(3, 5, (done, all) -> steps.add(all - done));
    assertThat(rows).isEqualTo(RecognitionStudy.doors(3, 5, Runs.Listener.NONE));
    assertThat(steps).hasSize(rows.size()).endsWith(0);
  }

  @Test
  void aStudyWithoutWindowsIsRefused() {
    assertThatThrownBy(() -> RecognitionStudy.doors(0, 1, Runs.Listener.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 windows");
  }

  private static double at(
      List<Row> rows, String kind, double level, ToDoubleFunction<Row> accuracy) {
    return mean(
        rows.stream()
            .filter(row -> row.kind().equals(kind) && row.significance() == level)
            .toList(),
        accuracy);
  }

  private static double mean(List<Row> rows, ToDoubleFunction<Row> accuracy) {
    return rows.stream().mapToDouble(accuracy).average().orElseThrow();
  }
}
