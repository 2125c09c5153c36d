package io.quiver.core.engine;

import static io.quiver.core.engine.BatchRead.NO_SPACE;
import static io.quiver.core.engine.ItemStatus.HIT;
import static io.quiver.core.engine.ItemStatus.MISS;
import static io.quiver.core.engine.ItemStatus.PENDING;
import static io.quiver.core.engine.ItemStatus.YOURS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.engine.BatchRead.Step;
import io.quiver.core.engine.BatchRead.Supply;
import io.quiver.core.plan.probe.SupplyMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class BatchReadTest {
  private static final long MILLIS = 1_000_000;

  private final Recorder driver = new Recorder();

  /** Writes down what it is told. */
  private static final class Recorder implements BatchRead.Driver {
    private final List<String> said = new ArrayList<>();
    private final Set<Integer> underWay = new HashSet<>();
    private final Set<Integer> inserted = new HashSet<>();
    private final ClaimPatience patience = new ClaimPatience();

    @Override
    public void hit(int place, int item, int index, boolean cooperative) {
      said.add((cooperative ? "cooperative " : "hit ") + item + " at " + place);
    }

    @Override
    public boolean join(int place, int item) {
      if (underWay.contains(item)) {
        said.add("join " + item + " at " + place);
      }
      return underWay.contains(item);
    }

    @Override
    public void fetch(int place, int item, int space) {
      said.add("fetch " + item + " at " + place + (space == NO_SPACE ? "" : " into " + space));
    }

    @Override
    public boolean insertedSince(int item, long nanos) {
      return inserted.contains(item);
    }

    @Override
    public long patienceNanos(long now) {
      return patience.nanos(now);
    }

    @Override
    public void waited(boolean delivered, long began, long now) {
      said.add(delivered ? "delivered" : "in vain");
      if (delivered) {
        patience.delivered(began, now);
      } else {
        patience.inVain(began, now);
      }
    }
  }

  /** Any two of the candidates 1 to 4, and all of 8 and 9. */
  private BatchRead batch(Supply supply, IntUnaryOperator spaces) {
    int[] candidates = {1, 2, 3, 4};
    return new BatchRead(
        candidates,
        2,
        4,
        found -> {
          int[] fetch = {8, 9, 0, 0};
          int at = 2;
          for (int candidate : candidates) {
            if (at < 4 - found.length && Arrays.stream(found).noneMatch(f -> f == candidate)) {
              fetch[at++] = candidate;
            }
          }
          return Arrays.copyOf(fetch, 4 - found.length);
        },
        supply,
        spaces,
        driver);
  }

  private BatchRead lacking(Supply supply, IntUnaryOperator spaces) {
    BatchRead read = batch(supply, spaces);
    assertThat(read.begin(false, 0)).isEqualTo(Step.ASK);
    assertThat(read.claims()).isFalse();
    assertThat(read.wanted()).isEqualTo(2);
    assertThat(read.answered(List.of(HIT, MISS, MISS, HIT), false, 0)).isEqualTo(Step.ASK);
    assertThat(driver.said).containsExactly("hit 1 at 0", "hit 4 at 1");
    driver.said.clear();
    return read;
  }

  @Test
  void whatHasNoSpaceComesFromTheStoreAtOnce() {
    BatchRead read = batch(Supply.SHARED, item -> item == 8 ? 5 : NO_SPACE);
    read.begin(false, 0);
    assertThat(read.answered(List.of(HIT, HIT, MISS, HIT), false, 0)).isEqualTo(Step.ASK);
    assertThat(driver.said).containsExactly("hit 1 at 0", "hit 2 at 1", "fetch 9 at 3");
    assertThat(read.question()).containsExactly(8);
    assertThat(read.claims()).isTrue();
    assertThat(read.answered(List.of(YOURS), false, 0)).isEqualTo(Step.DELIVER);
    assertThat(driver.said).endsWith("fetch 8 at 2 into 5");
    assertThat(read.items()).containsExactly(1, 2, 8, 9);
    assertThat(read.supplyMode(false)).isEqualTo(SupplyMode.MIXED);
    assertThat(read.supplyMode(true)).isEqualTo(SupplyMode.SHARED);
  }

  @Test
  void whatAnotherJobFetchesIsAskedForAgainAfterGrowingPauses() {
    BatchRead read = lacking(Supply.SHARED, item -> 3);
    assertThat(read.substituted()).isEqualTo(1);
    assertThat(read.answered(List.of(PENDING, PENDING), false, 0)).isEqualTo(Step.PAUSE);
    for (long pause : new long[] {5, 10, 20, 20}) {
      assertThat(read.pauseNanos()).isEqualTo(pause * MILLIS);
      assertThat(read.woken(MILLIS)).isEqualTo(Step.ASK);
      assertThat(read.answered(List.of(PENDING, PENDING), false, MILLIS)).isEqualTo(Step.PAUSE);
    }
    read.woken(2 * MILLIS);
    assertThat(read.answered(List.of(HIT, PENDING), false, MILLIS)).isEqualTo(Step.PAUSE);
    assertThat(driver.said).containsExactly("cooperative 8 at 2", "delivered");
    assertThat(read.woken(3 * MILLIS)).isEqualTo(Step.ASK);
    assertThat(read.question()).containsExactly(9);
    long tooLate = ReadRules.PENDING_WAIT.toNanos() + 1;
    assertThat(read.answered(List.of(PENDING), false, tooLate)).isEqualTo(Step.DELIVER);
    assertThat(driver.said).endsWith("in vain", "fetch 9 at 3 into 3");
  }

  @Test
  void jobsThatClaimAndDoNotDeliverAreWaitedForLessAndLess() {
    long now = 0;
    for (int batch = 0; batch < 200; batch++) {
      now = readInVain(now);
    }
    assertThat(Duration.ofNanos(now)).isLessThan(Duration.ofSeconds(8 + 200 / 10));
  }

  @Test
  void batchesThatWaitForTheSameJobGiveUpTogether() {
    List<BatchRead> batches = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      BatchRead read = lacking(Supply.SHARED, item -> 3);
      read.answered(List.of(PENDING, PENDING), false, 0);
      read.woken(0);
      batches.add(read);
    }
    long late = ReadRules.PENDING_WAIT.toNanos() + 1;
    for (BatchRead read : batches) {
      assertThat(read.answered(List.of(PENDING, PENDING), false, late)).isEqualTo(Step.DELIVER);
    }
    assertThat(driver.patience.nanos(late)).isEqualTo(ReadRules.PENDING_WAIT.toNanos() / 4);
  }

  @Test
  void patienceReturnsWithTimeAndWithItemsThatAreWorthIt() {
    long now = 0;
    for (int batch = 0; batch < 20; batch++) {
      now = readInVain(now);
    }
    long least = driver.patience.nanos(now);
    assertThat(least).isEqualTo(ReadRules.SHORTEST_PENDING_WAIT.toNanos());
    now += ReadRules.PATIENCE_DOUBLES_AFTER.toNanos();
    assertThat(driver.patience.nanos(now)).isEqualTo(2 * least);
    driver.patience.delivered(now - 10 * least, now);
    assertThat(driver.patience.nanos(now)).isEqualTo(20 * least);
    now += 20 * ReadRules.PATIENCE_DOUBLES_AFTER.toNanos();
    assertThat(driver.patience.nanos(now)).isEqualTo(ReadRules.PENDING_WAIT.toNanos());
  }

  /** Reads a batch whose claimed items never arrive; returns when it gave them up. */
  private long readInVain(long start) {
    BatchRead read = batch(Supply.SHARED, item -> 3);
    long now = start;
    read.begin(false, now);
    read.answered(List.of(HIT, HIT, MISS, MISS), false, now);
    Step step = read.answered(List.of(PENDING, PENDING), false, now);
    while (step == Step.PAUSE) {
      now += read.pauseNanos();
      read.woken(now);
      step = read.answered(List.of(PENDING, PENDING), false, now);
    }
    return now;
  }

  @Test
  void whatThisProcessReadsAnywayIsJoinedAndNotAskedFor() {
    BatchRead read = batch(Supply.SHARED, item -> 3);
    driver.underWay.add(9);
    read.begin(false, 0);
    assertThat(read.answered(List.of(HIT, HIT, MISS, MISS), false, 0)).isEqualTo(Step.ASK);
    assertThat(driver.said).endsWith("join 9 at 3");
    assertThat(read.question()).containsExactly(8);
    assertThat(read.answered(List.of(PENDING), false, 0)).isEqualTo(Step.PAUSE);
    driver.underWay.add(8);
    assertThat(read.woken(0)).isEqualTo(Step.DELIVER);
    assertThat(driver.said).endsWith("join 8 at 2");
  }

  @Test
  void aClaimOnWhatWasJustInsertedIsNotFollowed() {
    BatchRead read = lacking(Supply.SHARED, item -> 3);
    driver.inserted.add(8);
    assertThat(read.answered(List.of(YOURS, YOURS), false, 0)).isEqualTo(Step.PAUSE);
    assertThat(driver.said).containsExactly("fetch 9 at 3 into 3");
  }

  @Test
  void withoutACacheEverythingComesFromTheStoreAndStaysThere() {
    BatchRead read = batch(Supply.SHARED, item -> 3);
    read.begin(false, 0);
    assertThat(read.answered(null, true, 0)).isEqualTo(Step.ASK);
    assertThat(read.question()).containsExactly(8, 9, 1, 2);
    assertThat(read.answered(null, true, 0)).isEqualTo(Step.DELIVER);
    assertThat(driver.said)
        .containsExactly("fetch 8 at 0", "fetch 9 at 1", "fetch 1 at 2", "fetch 2 at 3");
    assertThat(read.supplyMode(false)).isEqualTo(SupplyMode.MISS);
  }

  @Test
  void missesOfAServerThatFailedAreNotInserted() {
    BatchRead read = lacking(Supply.SHARED, item -> 3);
    assertThat(read.answered(List.of(MISS, YOURS), true, 0)).isEqualTo(Step.DELIVER);
    assertThat(driver.said).containsExactly("fetch 8 at 2", "fetch 9 at 3 into 3");
  }

  @Test
  void aProbeAsksForNothing() {
    BatchRead read = batch(Supply.SHARED, item -> item == 9 ? 7 : NO_SPACE);
    assertThat(read.begin(true, 0)).isEqualTo(Step.DELIVER);
    assertThat(driver.said)
        .containsExactly("fetch 8 at 0", "fetch 9 at 1 into 7", "fetch 1 at 2", "fetch 2 at 3");
  }

  @Test
  void aPlainCacheIsReadThroughWithoutClaims() {
    BatchRead read = lacking(Supply.READ_THROUGH, item -> 0);
    assertThat(read.claims()).isFalse();
    assertThat(read.answered(List.of(HIT, MISS), false, 0)).isEqualTo(Step.DELIVER);
    assertThat(driver.said).containsExactly("hit 8 at 2", "fetch 9 at 3 into 0");
  }
}
