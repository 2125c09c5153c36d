package io.quiver.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.engine.ReadAheadWindow.Kind;
import io.quiver.core.engine.ReadAheadWindow.Step;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reading ahead stays within its bounds and asks for each upcoming item once. */
class ReadAheadWindowTest {
  private static final int ITEM_BYTES = 10;

  private static ReadAheadWindow<String> window(int batches, long bytes, boolean inOrder) {
    return new ReadAheadWindow<>(batches, bytes, inOrder, item -> ITEM_BYTES);
  }

  private static IntFunction<int[]> items(int from, int to) {
    return count -> IntStream.range(from, to).limit(count).toArray();
  }

  private static List<ItemStatus> all(int count, ItemStatus status) {
    return IntStream.range(0, count).mapToObj(i -> status).toList();
  }

  @Test
  void batchesThatAreReadOrWaitAreBounded() {
    ReadAheadWindow<String> window = window(2, 1000, false);
    assertThat(window.mayDraw()).isTrue();
    long first = window.begin(100);
    assertThat(window.mayDraw()).isTrue();
    window.begin(100);
    assertThat(window.mayDraw()).isFalse();
    window.end(first, "first");
    assertThat(window.mayDraw()).as("the first one waits").isFalse();
    assertThat(window.take()).isEqualTo("first");
    assertThat(window.mayDraw()).isTrue();
  }

  @Test
  void oneBatchIsAllowedHoweverManyBytesItHas() {
    ReadAheadWindow<String> window = window(4, 10, false);
    window.end(window.begin(5000), "large");
    assertThat(window.mayDraw()).isFalse();
    window.take();
    assertThat(window.mayDraw()).isTrue();
    assertThat(window.isEmpty()).isTrue();
  }

  @Test
  void batchesAreTakenAsTheyAreCompleteOrAsTheyWereDrawn() {
    for (boolean inOrder : new boolean[] {false, true}) {
      ReadAheadWindow<String> window = window(4, 1000, inOrder);
      long slow = window.begin(10);
      window.end(window.begin(10), "quick");
      assertThat(window.take()).isEqualTo(inOrder ? null : "quick");
      window.end(slow, "slow");
      assertThat(window.take()).isEqualTo("slow");
      assertThat(window.take()).isEqualTo(inOrder ? "quick" : null);
    }
  }

  @Test
  void whatWaitsIsGivenBackAtTheEnd() {
    ReadAheadWindow<String> window = window(4, 1000, true);
    window.begin(10);
    window.end(window.begin(10), "second");
    assertThat(window.drain()).containsExactly("second");
    assertThat(window.isEmpty()).as("the first is being read").isFalse();
    assertThatThrownBy(() -> window.end(1, "again")).hasMessageContaining("batch 1");
  }

  @Test
  void itemsAreLookedUpOnceAndWithinTheBytesThatBatchesLeave() {
    ReadAheadWindow<String> window = window(4, 60, true);
    assertThat(window.lookAhead(items(0, 100))).isEqualTo(new Step(Kind.LOOK_UP, boxed(0, 6)));
    assertThat(window.lookAhead(items(0, 100)).kind()).isEqualTo(Kind.REST);
    long number = window.begin(2 * ITEM_BYTES);
    assertThat(window.lookAhead(items(2, 100)).kind()).as("drawn, not taken").isEqualTo(Kind.REST);
    window.end(number, "batch");
    window.take();
    assertThat(window.lookAhead(items(2, 100))).isEqualTo(new Step(Kind.LOOK_UP, boxed(6, 8)));
    assertThat(window.asked()).containsExactlyInAnyOrderElementsOf(boxed(2, 8));
  }

  private static List<Integer> boxed(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Test
  void whatTheCacheLacksIsFetchedUnlessItsBatchHasBeenDrawn() {
    ReadAheadWindow<String> window = window(4, 60, true);
    window.lookAhead(items(0, 6));
    List<ItemStatus> found = new ArrayList<>(all(6, ItemStatus.MISS));
    found.set(3, ItemStatus.HIT);
    assertThat(window.lookedUp(found, item -> false, items(2, 20)))
        .isEqualTo(new Step(Kind.FETCH, List.of(2, 4, 5)));
  }

  @Test
  void itemsThatGoIntoTheCacheAreFetchedByTheJobThatGotTheClaim() {
    ReadAheadWindow<String> window = window(4, 60, true);
    window.lookAhead(items(0, 6));
    assertThat(window.lookedUp(all(6, ItemStatus.MISS), item -> item < 4, items(0, 6)))
        .isEqualTo(new Step(Kind.CLAIM, boxed(0, 4)));
    List<ItemStatus> found =
        List.of(ItemStatus.YOURS, ItemStatus.PENDING, ItemStatus.YOURS, ItemStatus.HIT);
    assertThat(window.claimed(found, items(1, 6)))
        .isEqualTo(new Step(Kind.FETCH, List.of(4, 5, 2)));
  }

  @Test
  void aCacheThatDoesNotAnswerHasNothingAndGrantsNothing() {
    ReadAheadWindow<String> window = window(4, 60, true);
    window.lookAhead(items(0, 6));
    assertThat(window.lookedUp(null, item -> item < 4, items(0, 6)).kind()).isEqualTo(Kind.CLAIM);
    assertThat(window.claimed(null, items(0, 6))).isEqualTo(new Step(Kind.FETCH, List.of(4, 5)));
  }

  @Test
  void everyBatchIsTakenOnceInOrderWithinTheBoundsWhateverHappensFirst() {
    SeededRuns.run(20, ReadAheadWindowTest::readInRandomOrder);
  }

  private static void readInRandomOrder(Random random) {
    ReadAheadWindow<Long> window = new ReadAheadWindow<>(5, 200, true, item -> ITEM_BYTES);
    List<Long> reading = new ArrayList<>();
    List<Long> taken = new ArrayList<>();
    long[] bytes = random.longs(100, 0, 150).toArray();
    int drawn = 0;
    while (taken.size() < bytes.length) {
      int event = random.nextInt(3);
      if (event == 0 && drawn < bytes.length && window.mayDraw()) {
        reading.add(window.begin(bytes[drawn++]));
      } else if (event == 1 && !reading.isEmpty()) {
        long number = reading.remove(random.nextInt(reading.size()));
        window.end(number, number);
      } else {
        Optional.ofNullable(window.take()).ifPresent(taken::add);
      }
      assertThat(drawn - taken.size()).isLessThanOrEqualTo(5);
      assertThat(Arrays.stream(bytes, taken.size(), drawn).sum()).isLessThan(200 + 150);
    }
    assertThat(taken).isSorted().doesNotHaveDuplicates();
    assertThat(window.isEmpty()).isTrue();
  }
}
