package io.quiver.simulator.igt.pattern;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.pattern.GapsAlone;
import io.quiver.core.stream.pattern.PatternTests;
import io.quiver.simulator.experiment.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Counts how many windows of reads are recognised rightly: by the tests that doors make, and by the
 * paper's test of gaps alone, both on the same reads.
 */
public final class RecognitionStudy {
  /** The windows at which doors analyse a stream. */
  public static final List<Integer> DOOR_WINDOWS =
      List.of(StreamRules.STANDARD.window(), StreamRules.STANDARD.longWindow());

  /** The windows of Figure 15, and some between. */
  public static final List<Integer> WINDOWS = List.of(10, 20, 50, 100, 200, 500, 1000);

  /** The significance levels of Figure 14, and some around. */
  public static final List<Double> LEVELS = List.of(0.001, 0.005, 0.01, 0.02, 0.05, 0.1);

  /** Windows that are taken of one draw of a workload, one after the other. */
  private static final int WINDOWS_PER_DRAW = 20;

  private RecognitionStudy() {}

  /**
   * The share of windows of a workload that are recognised.
   *
   * @param pattern the way of reading
   * @param kind what is to be recognised: {@code sequential}, {@code random} or {@code skewed}
   * @param window reads of a window
   * @param significance the significance level of the tests
   * @param windows how many windows there were
   * @param accuracy the share that doors recognise rightly
   * @param gapsAlone the share that the paper's test of gaps recognises rightly
   */
  public record Row(
      String pattern,
      String kind,
      int window,
      double significance,
      int windows,
      double accuracy,
      double gapsAlone) {}

  /** Measures every workload at the windows of doors. */
  public static List<Row> doors(int windows, long seed, Runs.Listener progress) {
    return rows(
        StudiedWorkloads.all(),
        DOOR_WINDOWS,
        List.of(StreamRules.STANDARD.significance()),
        windows,
        seed,
        progress);
  }

  /** Measures the paper's workloads over significance levels, at a window of 100 (Figure 14). */
  public static List<Row> levels(int windows, long seed, Runs.Listener progress) {
    return rows(
        PublishedWorkloads.all(),
        List.of(StreamRules.STANDARD.window()),
        LEVELS,
        windows,
        seed,
        progress);
  }

  /** Measures the paper's workloads over windows, at the usual level (Figure 15). */
  public static List<Row> windows(int windows, long seed, Runs.Listener progress) {
    return rows(
        PublishedWorkloads.all(),
        WINDOWS,
        List.of(StreamRules.STANDARD.significance()),
        windows,
        seed,
        progress);
  }

  private static List<Row> rows(
      List<KnownReads> workloads,
      List<Integer> sizes,
      List<Double> levels,
      int windows,
      long seed,
      Runs.Listener progress) {
    if (windows < 1) {
      throw new IllegalArgumentException(windows + " windows of each workload; use 100, or more");
    }
    int all = workloads.size() * sizes.size() * levels.size();
    List<Row> rows = new ArrayList<>();
    for (KnownReads workload : workloads) {
      for (int size : sizes) {
        for (double level : levels) {
          rows.add(row(workload, size, level, windows, seed));
          progress.step(rows.size(), all);
        }
      }
    }
    return rows;
  }

  private static Row row(KnownReads workload, int size, double level, int windows, long seed) {
    StreamRules rules = rules(size, level);
    PatternTests tests = new PatternTests(rules);
    GapsAlone gaps = new GapsAlone(rules);
    SplittableRandom random = new SplittableRandom(31 * seed + workload.name().hashCode());
    AccessPattern truth = workload.pattern();
    int right = 0;
    int rightByGaps = 0;
    WindowSource source = new WindowSource(workload, random);
    for (int number = 0; number < windows; number++) {
      if (number > 0 && number % WINDOWS_PER_DRAW == 0) {
        source = new WindowSource(workload, random.split());
      }
      StreamWindow window = source.next(size);
      right += tests.recognize(window).pattern() == truth ? 1 : 0;
      rightByGaps += gaps.recognize(window).pattern() == truth ? 1 : 0;
    }
    return new Row(
        workload.name(),
        truth.word(),
        size,
        level,
        windows,
        (double) right / windows,
        (double) rightByGaps / windows);
  }

  /** Returns the rules of doors with another level; a door's long window has its short one's. */
  private static StreamRules rules(int size, double level) {
    StreamRules usual = StreamRules.STANDARD;
    return new StreamRules(
        Math.min(size, usual.window()),
        usual.longWindow(),
        level,
        usual.mostNodes(),
        usual.mostListingBytes(),
        usual.depth(),
        usual.mostDepth(),
        usual.hotShare(),
        usual.fillShare(),
        usual.leaseBase());
  }
}
