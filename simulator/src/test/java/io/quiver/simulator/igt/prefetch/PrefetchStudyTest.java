package io.quiver.simulator.igt.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.igt.prefetch.PrefetchStudy.Row;
import io.quiver.simulator.igt.prefetch.PrefetchStudy.Way;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class PrefetchStudyTest {
  private static final double SCALE = 0.3;
  private static final List<Row> ROWS = PrefetchStudy.run(SCALE, 1, Runs.Listener.NONE);

  private static Row row(String job, Way way) {
    return ROWS.stream()
        .filter(row -> row.job().equals(job) && row.prefetch().equals(way.text()))
        .findFirst()
        .orElseThrow();
  }

  private static double total(Way way, ToDoubleFunction<Row> figure) {
    return ROWS.stream().filter(row -> row.prefetch().equals(way.text())).mapToDouble(figure).sum();
  }

  @Test
  void jobsWithRecognitionTakeLessThanHalfOfTheTimeOfTheSecondBest() {
    double second =
        Way.COMPARED.stream()
            .filter(way -> way != Way.QUIVER)
            .mapToDouble(way -> total(way, Row::seconds))
            .min()
            .orElseThrow();
    assertThat(total(Way.QUIVER, Row::seconds)).isLessThan((1 - 0.649) * second);
    for (String job : List.of("2", "3", "4", "5", "6", "7", "8", "11")) {
      assertThat(row(job, Way.QUIVER).seconds())
          .as("job %s", job)
          .isLessThanOrEqualTo(1.01 * row(job, Way.JUICEFS).seconds());
    }
  }

  @Test
  void fileSystemsReadAheadOfFewBlocksOfSmallFiles() {
    for (Way way : List.of(Way.STRIDE, Way.JUICEFS, Way.SFP)) {
      assertThat(row("8", way).fetchedAhead()).isZero();
    }
    assertThat(row("6", Way.JUICEFS).seconds()).isLessThan(row("6", Way.NONE).seconds() / 3);
  }

  @Test
  void aRandomStreamThatFitsIsFilledAhead() {
    Row filled = row("7", Way.QUIVER);
    assertThat(filled.fetchedAhead()).isPositive();
    assertThat(filled.hitRatio()).isGreaterThan(row("7", Way.NONE).hitRatio());
    assertThat(filled.seconds()).isLessThan(row("7", Way.NONE).seconds());
  }

  @Test
  void blocksHelpOneLargeFileAndFilesHelpManySmallOnes() {
    List<Row> rows = PrefetchStudy.granularities(0.1, 1, Runs.Listener.NONE);
    double[] books = seconds(rows, "5");
    double[] images = seconds(rows, "8");
    assertThat(books[1]).isLessThan(0.8 * books[0]);
    assertThat(books[2]).isEqualTo(books[0]);
    assertThat(images[1]).isEqualTo(images[0]);
    assertThat(images[2]).isLessThan(0.25 * images[0]);
    assertThat(books[3]).isLessThanOrEqualTo(books[1]);
    assertThat(images[3]).isLessThan(images[2]);
  }

  private static double[] seconds(List<Row> rows, String job) {
    return rows.stream().filter(row -> row.job().equals(job)).mapToDouble(Row::seconds).toArray();
  }
}
