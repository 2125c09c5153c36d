package io.quiver.simulator.igt.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.igt.prefetch.PrefetchStudy.Row;
import io.quiver.simulator.igt.prefetch.PrefetchStudy.Way;
import io.quiver.simulator.keep.KeeperCache;
import java.util.ArrayList;
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
  void belowOtherDirectoriesOnlyWhatSiblingsReadIsReadAhead() {
    ReadJob job = new PaperJobs(SCALE, 1).marine();
    List<String> fetched = new ArrayList<>();
    StreamPrefetcher streams = new StreamPrefetcher(job.files(), true, 1L << 40);
    JobRun.Result result =
        new JobRun(
                job, new KeeperCache(KeeperKind.RECENT, 1L << 40), watched(streams, job, fetched))
            .run();
    assertThat(fetched).hasSizeGreaterThan(job.reads() / 2);
    assertThat(fetched).allMatch(path -> path.endsWith("/region_03.csv"));
    assertThat(result.wasted()).isZero();
    assertThat(row("4", Way.QUIVER).seconds()).isLessThan(row("4", Way.NONE).seconds() / 2);
    assertThat(row("4", Way.NEXT_DIRECTORIES).wasted()).isGreaterThan(8L * job.reads());
  }

  /** Writes down the paths of what is fetched. */
  private static Prefetcher watched(Prefetcher streams, ReadJob job, List<String> fetched) {
    return new Prefetcher() {
      private Fetcher watched(Fetcher fetcher) {
        return new Fetcher() {
          @Override
          public long now() {
            return fetcher.now();
          }

          @Override
          public Outcome ahead(int file, int block) {
            Outcome outcome = fetcher.ahead(file, block);
            if (outcome == Outcome.FETCHED) {
              fetched.add(job.files().path(file));
            }
            return outcome;
          }

          @Override
          public int fillRoom() {
            return fetcher.fillRoom();
          }

          @Override
          public Outcome fill(int file, int block) {
            throw new AssertionError("a slice is not random");
          }
        };
      }

      @Override
      public void asked(Asked read, Fetcher fetcher) {
        streams.asked(read, watched(fetcher));
      }

      @Override
      public void read(Asked read, boolean waited, long tookNanos, Fetcher fetcher) {
        streams.read(read, waited, tookNanos, watched(fetcher));
      }

      @Override
      public void tick(Fetcher fetcher) {
        streams.tick(watched(fetcher));
      }

      @Override
      public boolean ticks() {
        return true;
      }
    };
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
