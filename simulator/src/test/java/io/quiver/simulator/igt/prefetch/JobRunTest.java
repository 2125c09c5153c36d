package io.quiver.simulator.igt.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.simulator.keep.KeeperCache;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobRunTest {
  private static final int FILES = 50;
  private static final long BYTES = 125_000; // one millisecond of the link
  private static final double LATENCY = 0.15;
  private static final double PASSING = 0.001;
  private static final double THINKING = 0.01;

  private static ReadJob job(int passes, int readers) {
    return job(passes, readers, FILES, BYTES, 10_000_000);
  }

  private static ReadJob job(int passes, int readers, int count, long bytes, long thinkNanos) {
    SortedMap<String, Long> files = new TreeMap<>();
    for (int file = 0; file < count; file++) {
      files.put(String.format("f/%03d", file), bytes);
    }
    int[] reads = IntStream.range(0, passes * count).map(i -> i % count).toArray();
    return new ReadJob(
        "job", new StoredFiles(files), reads, new int[reads.length], thinkNanos, readers, true);
  }

  private static KeeperCache cache(long bytes) {
    return new KeeperCache(KeeperKind.UNIFORM, bytes);
  }

  private static JobRun.Result run(ReadJob job, Prefetcher prefetcher) {
    return new JobRun(job, cache(job.files().bytes()), prefetcher).run();
  }

  @Test
  void aReadWaitsForTheLatencyAndForItsBytes() {
    JobRun.Result result = run(job(1, 1), Prefetcher.NONE);
    assertThat(result.seconds()).isCloseTo(FILES * (LATENCY + PASSING + THINKING), within(1e-9));
    assertThat(result.hitRatio()).isZero();
    assertThat(result.storeBytes()).isEqualTo(FILES * BYTES);
  }

  @Test
  void whatWasReadIsHitAgainAsFarAsItFits() {
    assertThat(run(job(4, 1), Prefetcher.NONE).hitRatio()).isEqualTo(0.75);
    JobRun.Result half = JobRun.of(job(4, 1), cache(FILES / 2 * BYTES));
    assertThat(half.hitRatio()).isEqualTo(0.375);
    assertThat(half.storeBytes()).isEqualTo((FILES + 3L * FILES / 2) * BYTES);
  }

  @Test
  void severalReadersShareTheLink() {
    JobRun.Result many = run(job(1, FILES), Prefetcher.NONE);
    assertThat(many.seconds()).isCloseTo(LATENCY + FILES * PASSING + THINKING, within(1e-9));
    JobRun.Result five = run(job(1, 5), Prefetcher.NONE);
    assertThat(five.seconds()).isBetween(FILES / 5 * (LATENCY + THINKING), many.seconds() * 20);
  }

  @Test
  void aBlockOnItsWayIsNotReadTwice() {
    ReadJob job = job(1, 1);
    JobRun.Result result = run(job, FilePrefetchers.nextFiles(job.files()));
    assertThat(result.storeBytes()).isEqualTo(FILES * BYTES);
    assertThat(result.fetchedAhead()).isEqualTo(FILES - 1);
    assertThat(result.wasted()).isZero();
    assertThat(result.hitRatio() + result.lateShare()).isEqualTo((FILES - 1.0) / FILES);
    assertThat(result.seconds()).isLessThan(FILES * (LATENCY + THINKING) / 3);
  }

  @Test
  void noMoreIsReadAheadThanTheMemoryOfADoorHolds() {
    int count = 300;
    ReadJob job = job(1, 1, count, StoredFiles.BLOCK_BYTES, 10_000_000);
    List<Outcome> outcomes = new ArrayList<>();
    Prefetcher greedy =
        (read, fetcher) -> {
          for (int file = 0; file < count && read.file() == 0; file++) {
            outcomes.add(fetcher.ahead(file, 0));
          }
        };
    JobRun.Result result = run(job, greedy);
    assertThat(outcomes.getFirst()).isEqualTo(Outcome.HELD);
    assertThat(outcomes).filteredOn(Outcome.FETCHED::equals).hasSize(256);
    assertThat(outcomes).filteredOn(Outcome.DROPPED::equals).hasSize(count - 1 - 256);
    assertThat(result.fetchedAhead()).isEqualTo(256);
    assertThat(result.storeBytes()).isEqualTo((long) count * StoredFiles.BLOCK_BYTES);
  }

  @Test
  void noMoreIsReadAtOnceThanADoorHasTurns() {
    int count = 65;
    JobRun.Result result = run(job(1, count, count, 125, 0), Prefetcher.NONE);
    assertThat(result.seconds()).isCloseTo(2 * LATENCY, within(0.001));
    JobRun.Result fewer = run(job(1, count - 1, count - 1, 125, 0), Prefetcher.NONE);
    assertThat(fewer.seconds()).isCloseTo(LATENCY, within(0.001));
  }

  @Test
  void theCacheIsFilledOnlyWhileTheStoreIsIdle() {
    List<Outcome> outcomes = new ArrayList<>();
    List<Integer> rooms = new ArrayList<>();
    Prefetcher filler =
        new Prefetcher() {
          @Override
          public void asked(Asked read, Fetcher fetcher) {
            outcomes.add(fetcher.fill(FILES - 1, 0));
          }

          @Override
          public void tick(Fetcher fetcher) {
            rooms.add(fetcher.fillRoom());
            for (int file = 0; file < FILES; file++) {
              outcomes.add(fetcher.fill(file, 0));
            }
          }

          @Override
          public boolean ticks() {
            return true;
          }
        };
    JobRun.Result result = run(job(1, 1, FILES, BYTES, 200_000_000), filler);
    assertThat(outcomes.getFirst()).isEqualTo(Outcome.DROPPED);
    assertThat(rooms).contains(0, 4).allMatch(room -> room <= 4);
    assertThat(result.wasted()).isZero();
    assertThat(result.hitRatio()).isGreaterThan(0.5);
    assertThat(result.storeBytes()).isEqualTo(FILES * BYTES);
  }

  @Test
  void ofALongerPauseAllOfItIsUsed() {
    Prefetcher filler =
        new Prefetcher() {
          private int next;

          @Override
          public void asked(Asked read, Fetcher fetcher) {}

          @Override
          public void tick(Fetcher fetcher) {
            while (next < FILES && fetcher.fillRoom() > 0) {
              fetcher.fill(next++, 0);
            }
          }

          @Override
          public boolean ticks() {
            return true;
          }
        };
    JobRun.Result result = run(job(1, 1, FILES, BYTES, 3_000_000_000L), filler);
    assertThat(result.hitRatio()).isEqualTo((FILES - 1.0) / FILES);
  }
}
