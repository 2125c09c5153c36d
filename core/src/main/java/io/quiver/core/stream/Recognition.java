package io.quiver.core.stream;

import io.quiver.core.bound.Bounds;
import java.util.Locale;

/**
 * A pattern that was recognised, with the test that decided and its figures.
 *
 * @param pattern the pattern
 * @param evidence the test that decided
 * @param statistic what the test measured
 * @param threshold the value with which the test compared it
 * @param records how many reads the window had
 */
public record Recognition(
    AccessPattern pattern, Evidence evidence, double statistic, double threshold, int records) {
  private static final double MOST = 1e12;

  /** Nothing is recognised yet. */
  public static final Recognition NONE =
      new Recognition(AccessPattern.UNKNOWN, Evidence.TOO_FEW, 0, 0, 0);

  /** Refuses what cannot be. */
  public Recognition {
    Bounds.present("pattern", pattern);
    Bounds.present("evidence", evidence);
    Bounds.number("statistic", statistic, -MOST, MOST);
    Bounds.number("threshold", threshold, -MOST, MOST);
    Bounds.whole("records", records, 0, Integer.MAX_VALUE);
  }

  /** The tests, in the order in which they are made. */
  public enum Evidence {
    /** Too few reads for any test. */
    TOO_FEW,
    /** More pairs of reads of one item than equal popularity allows: skewed. */
    REPEATS,
    /** Each reader goes forward by small steps: sequential. */
    RUNS,
    /** Several runs that go forward are mixed: sequential. */
    MIXED_RUNS,
    /** All items of a small population are read in order, again and again: random. */
    LOOPS,
    /** All reads lie in a narrow window that moves: sequential, in some disorder. */
    MOVING_WINDOW,
    /** Gaps are distributed as between uniformly drawn items (Kolmogorov–Smirnov): random. */
    GAPS,
    /** Gaps are not distributed so: skewed. */
    OTHER_GAPS,
    /** The windows of several doors, put together, tell it. */
    MERGED;

    /** Returns the word for this test in documents. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
