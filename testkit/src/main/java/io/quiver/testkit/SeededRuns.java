package io.quiver.testkit;

import java.util.Random;

/**
 * Runs a randomized test from several seeds. Each build tries new ones; a failure names the seed
 * that repeats it: {@code -Dquiver.test.seed=…}.
 */
public final class SeededRuns {
  private static final String PROPERTY = "quiver.test.seed";

  private SeededRuns() {}

  /** A test whose every choice comes from the random numbers it is given. */
  @FunctionalInterface
  public interface SeededTest {
    /** Runs once. */
    void run(Random random) throws Exception;
  }

  /** Runs the test this often, or once with the seed given on the command line. */
  public static void run(int times, SeededTest test) {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      runOnce(Long.parseLong(given), test);
      return;
    }
    long first = System.nanoTime();
    for (int i = 0; i < times; i++) {
      runOnce(first + i, test);
    }
  }

  private static void runOnce(long seed, SeededTest test) {
    try {
      test.run(new Random(seed));
    } catch (Exception | AssertionError e) {
      throw new AssertionError("failed with -D" + PROPERTY + "=" + seed + ": " + e.getMessage(), e);
    }
  }
}
