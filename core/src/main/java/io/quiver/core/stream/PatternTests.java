package io.quiver.core.stream;

import io.quiver.core.stream.Recognition.Evidence;

/**
 * Recognises the pattern of a window of reads by the tests of {@link Evidence}, in their order:
 * popularity first, order second, places last. The paper's test of gaps alone (IGTCache, §3.2) sees
 * where items lie, not how often they are read: it takes scattered hot items for random and
 * parallel readers for skewed.
 *
 * <p>All tests but that of gaps hold for any order that is drawn, of uniform or other popularity:
 * they are far from what chance allows. Uniform reads fail the tests of repeats and of gaps
 * together with the probability {@link StreamRules#significance} at most.
 */
public final class PatternTests {
  /** The share of a reader's steps that go forward by 1 to 4 items. */
  private static final double MOSTLY = 0.8;

  /** The share of neighbours that are read in order when runs are mixed. */
  private static final double ORDERED = 0.9;

  /** The correlation of place and time that shows movement by itself; chance reaches 0.5. */
  private static final double MOVING = 0.7;

  /** The correlation that shows movement of a narrow window. */
  private static final double NARROW_MOVING = 1.0 / 3;

  /** The share of false alarms that the test of repeats may raise; gaps may raise the others. */
  private static final double REPEATS_SHARE = 0.25;

  /** Tests need so many reads that are no repeats, as a part of the window. */
  private static final int LEAST_PART = 5;

  private final StreamRules rules;

  /** Tests by these numbers. */
  public PatternTests(StreamRules rules) {
    this.rules = rules;
  }

  /** Returns the pattern of a window; unknown if it has fewer reads than the rules ask for. */
  public Recognition recognize(StreamWindow window) {
    int records = window.size();
    int least = rules.window() / LEAST_PART;
    if (records < rules.window()) {
      return new Recognition(
          AccessPattern.UNKNOWN, Evidence.TOO_FEW, records, rules.window(), records);
    }
    ReadOrder reads = ReadOrder.of(window);
    if (reads.size() < least) {
      return new Recognition(AccessPattern.UNKNOWN, Evidence.TOO_FEW, reads.size(), least, records);
    }
    return new Tested(reads, records, least).recognition();
  }

  /** The tests of one window. */
  private final class Tested {
    private final ReadOrder reads;
    private final int records;
    private final int least;
    private final int reach;

    Tested(ReadOrder reads, int records, int least) {
      this.reads = reads;
      this.records = records;
      this.least = least;
      this.reach = RepeatTest.reach(reads.size());
    }

    Recognition recognition() {
      long pairs = RepeatTest.farPairs(reads, reach);
      double even = RepeatTest.evenPopulation(reads.size(), reads.distinct.length);
      double most = mostPairs(reads.populationKnown ? reads.population : even);
      Recognition runs = runs(reads);
      if (pairs > most) {
        // Readers that follow each other repeat what lies between them, each item equally often.
        boolean follow = runs.pattern() == AccessPattern.SEQUENTIAL && pairs <= mostPairs(even);
        return follow
            ? runs
            : recognized(AccessPattern.SKEWED, Evidence.REPEATS, (double) pairs, most);
      }
      if (runs.pattern() == AccessPattern.SEQUENTIAL) {
        return runs;
      }
      return places(withoutBursts());
    }

    private double mostPairs(double population) {
      return RepeatTest.mostPairs(
          reads.size(), reach, population, REPEATS_SHARE * rules.significance());
    }

    /** Returns the reads without near repeats, if there are more of these than chance explains. */
    private ReadOrder withoutBursts() {
      long near = RepeatTest.farPairs(reads, 0) - RepeatTest.farPairs(reads, reach);
      double even = reads.populationKnown ? reads.population : Double.POSITIVE_INFINITY;
      double mostNear =
          RepeatTest.mostPairs(reads.size(), 0, even, REPEATS_SHARE * rules.significance());
      ReadOrder single = near > mostNear ? reads.withoutBursts(reach) : reads;
      return single.size() >= least ? single : reads;
    }

    private Recognition runs(ReadOrder order) {
      RunTest runs = new RunTest(order);
      double steps = runs.steps();
      if (steps >= MOSTLY) {
        return recognized(AccessPattern.SEQUENTIAL, Evidence.RUNS, steps, MOSTLY);
      }
      double ordered = runs.ordered(MOSTLY);
      AccessPattern pattern = ordered >= ORDERED ? AccessPattern.SEQUENTIAL : AccessPattern.UNKNOWN;
      return recognized(pattern, Evidence.MIXED_RUNS, ordered, ORDERED);
    }

    private Recognition places(ReadOrder order) {
      MovingWindowTest window = new MovingWindowTest(order);
      double movement = Math.abs(window.movement());
      double moving = window.isNarrow() ? NARROW_MOVING : MOVING;
      if (movement >= moving) {
        return recognized(AccessPattern.SEQUENTIAL, Evidence.MOVING_WINDOW, movement, moving);
      }
      double distance = GapTest.distance(order);
      double most =
          GapTest.mostDistance(order.size() - 1, (1 - REPEATS_SHARE) * rules.significance());
      return distance <= most
          ? recognized(AccessPattern.RANDOM, Evidence.GAPS, distance, most)
          : recognized(AccessPattern.SKEWED, Evidence.OTHER_GAPS, distance, most);
    }

    private Recognition recognized(
        AccessPattern pattern, Evidence evidence, double statistic, double threshold) {
      return new Recognition(pattern, evidence, statistic, threshold, records);
    }
  }
}
