package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WindowMergeTest {
  private static StreamWindow window(int[] items, int[] readers, int... ages) {
    return new StreamWindow(Indexing.LISTED, 100, items, readers, ages);
  }

  private static StreamWindow window(int[] items, int... ages) {
    return window(items, new int[items.length], ages);
  }

  @Test
  void readsComeInTheOrderOfTheirAges() {
    StreamWindow merged =
        WindowMerge.of(
            List.of(
                window(new int[] {1, 2, 3}, 900, 500, 100), window(new int[] {11, 12}, 700, 200)));
    assertThat(merged.indices()).containsExactly(1, 11, 2, 12, 3);
    assertThat(merged.agesMillis()).containsExactly(900, 700, 500, 200, 100);
    assertThat(merged.population()).isEqualTo(100);
    assertThat(merged.indexing()).isEqualTo(Indexing.LISTED);
  }

  @Test
  void readsOfOneAgeComeInTurn() {
    StreamWindow merged =
        WindowMerge.of(
            List.of(
                window(new int[] {1, 2, 3}, 5, 5, 5),
                window(new int[] {11, 12, 13}, 5, 5, 5),
                window(new int[] {21}, 5)));
    assertThat(merged.indices()).containsExactly(1, 11, 21, 2, 12, 3, 13);
  }

  @Test
  void theOrderWithinAWindowStaysWhenItsClockJumps() {
    StreamWindow merged =
        WindowMerge.of(
            List.of(
                window(new int[] {1, 2, 3, 4}, 100, 9000, -50, 20),
                window(new int[] {11, 12}, 150, 60)));
    assertThat(merged.indices()).containsExactly(11, 1, 2, 12, 3, 4);
  }

  @Test
  void readersOfDifferentWindowsAreToldApart() {
    StreamWindow merged =
        WindowMerge.of(
            List.of(
                window(new int[] {1, 2}, new int[] {0, 7}, 40, 20),
                window(new int[] {11, 12}, new int[] {7, 7}, 30, 10)));
    assertThat(merged.readers()).containsExactly(0, 2, 1, 2);
    int[] extremes = {Integer.MIN_VALUE, Integer.MAX_VALUE};
    assertThat(WindowMerge.of(List.of(window(new int[] {1, 2}, extremes, 4, 3))).readers())
        .containsExactly(0, 1);
  }

  @Test
  void windowsWithoutReadsAddNone() {
    StreamWindow empty = window(new int[0]);
    assertThat(WindowMerge.of(List.of(empty, empty)).size()).isZero();
    assertThat(WindowMerge.of(List.of(empty, window(new int[] {4}, 1))).indices())
        .containsExactly(4);
  }

  @Test
  void everyReadIsKeptAndTheOrderWithinEachWindowToo() {
    SeededRuns.run(
        50,
        random -> {
          List<StreamWindow> windows = windows(random);
          StreamWindow merged = WindowMerge.of(windows);
          assertThat(merged.size()).isEqualTo(windows.stream().mapToInt(StreamWindow::size).sum());
          for (int each = 0; each < windows.size(); each++) {
            int number = each;
            int[] own =
                Arrays.stream(merged.indices()).filter(item -> item / 1000 == number).toArray();
            assertThat(own).isEqualTo(windows.get(each).indices());
          }
        });
  }

  /** Returns windows whose items tell which window they are of. */
  private static List<StreamWindow> windows(Random random) {
    List<StreamWindow> windows = new ArrayList<>();
    int count = random.nextInt(1, 9);
    for (int each = 0; each < count; each++) {
      int size = random.nextInt(0, 101);
      int number = each;
      windows.add(
          new StreamWindow(
              Indexing.LISTED,
              9000,
              IntStream.range(0, size).map(read -> 1000 * number + random.nextInt(1000)).toArray(),
              random.ints(size, -3, 3).toArray(),
              random.ints(size, -50, 500).toArray()));
    }
    return windows;
  }
}
