package io.quiver.core.stream.pattern;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamWindow;

/**
 * Recognises the pattern of a window of reads by the tests of {@link Evidence}, in their order:
 * popularity first, order second, places last. The paper's test of gaps alone (IGTCache, §3.2) sees
 * where items lie, not how often they are read: it takes scattered hot items for random and
 * parallel readers for skewed.
 *
 * <p>The tests between the first and the last fail any order that is drawn, of uniform or other
 * popularity, by far. Uniform reads fail the tests of repeats and of gaps together with the
 * probability {@link StreamRules#significance} at most.
 *
 * <p>A scan that leaves out items, as one that is dealt to several doors, is sequential if it goes
 * forward: by mixed runs. Half and half of a scan and of random reads is none of the patterns and
 * becomes skewed, whose policy harms neither.
 */
public final class PatternTests {
  /** The share of a reader's steps that go forward by 1 to 4 items. */
  private static final double FORWARD = 0.8;

  /** The share of items that have a close neighbour among those read. */
  private static final double JOINED = 0.8;

  /** The share of neighbours that are read in order when runs are mixed; chance gives a half. */
  private static final double ORDERED = 0.9;

  /** The share of neighbours that are read in order within a narrow window. */
  private static final double NARROW_ORDERED = 0.7;

  /** The share of a small population that a loop reads, and how often it reads it. */
  private static final double LOOPED = 0.9;

  private static final int LOOPS = 2;

  /** The share of false alarms that the test of repeats may raise; gaps may raise the others. */
  private static final double REPEATS_SHARE = 0.25;

  /** Tests need so many reads that are no repeats, as a part of the window. */
  private static final int LEAST_PART = 5;

  private final int window;
  private final int least;
  private final RepeatTest repeats;
  private final GapTest gaps;

  /** Tests by these numbers. */
  public PatternTests(StreamRules rules) {
    this.window = rules.window();
    this.least = Math.max(2, window / LEAST_PART);
    this.repeats = new RepeatTest(REPEATS_SHARE * rules.significance());
    this.gaps = new GapTest((1 - REPEATS_SHARE) * rules.significance());
  }

  /**
   * Returns the pattern of a window; unknown if it has fewer reads than the rules ask for, or if
   * most of these repeat the ones before.
   */
  public Recognition recognize(StreamWindow reads) {
    int records = reads.size();
    if (records < window) {
      return new Recognition(AccessPattern.UNKNOWN, Evidence.TOO_FEW, records, window, records);
    }
    return new Tested(OrderedReads.every(reads), OrderedReads.of(reads), records).recognition();
  }

  /** The tests of one window. */
  private final class Tested {
    private final OrderedReads every;
    private final OrderedReads all;
    private final int records;

    /**
     * Prepares the tests.
     *
     * @param every all reads
     * @param all the reads that do not repeat the one before
     */
    Tested(OrderedReads every, OrderedReads all, int records) {
      this.every = every;
      this.all = all;
      this.records = records;
    }

    Recognition recognition() {
      if (all.size() < least) {
        return tooFew(all);
      }
      Recognition order = order(all);
      boolean pieces = RepeatTest.hasBursts(every);
      OrderedReads single =
          pieces && RepeatTest.hasBursts(all) ? all.withoutBursts(RepeatTest.reach(all)) : all;
      Recognition popularity = popularity(pieces ? single : every);
      if (popularity.pattern() == AccessPattern.SKEWED) {
        return follow(order) ? order : popularity;
      }
      if (order.pattern() != AccessPattern.UNKNOWN) {
        return order;
      }
      return single.size() < least ? tooFew(single) : places(single);
    }

    private Recognition tooFew(OrderedReads reads) {
      return recognized(AccessPattern.UNKNOWN, Evidence.TOO_FEW, reads.size(), least);
    }

    private Recognition popularity(OrderedReads reads) {
      double population =
          reads.populationKnown ? reads.population : RepeatTest.evenPopulation(reads);
      double pairs = RepeatTest.pairs(reads);
      double most = repeats.mostPairs(reads.size(), population);
      AccessPattern pattern = pairs > most ? AccessPattern.SKEWED : AccessPattern.UNKNOWN;
      return recognized(pattern, Evidence.REPEATS, pairs, most);
    }

    /**
     * Returns true if repeats come from readers that follow each other: they repeat what lies
     * between them, every item about equally often.
     */
    private boolean follow(Recognition order) {
      return order.pattern() != AccessPattern.UNKNOWN
          && RepeatTest.pairs(all)
              <= RepeatTest.meanPairs(all.size(), RepeatTest.evenPopulation(all));
    }

    private Recognition order(OrderedReads reads) {
      RunTest runs = new RunTest(reads);
      double forward = runs.steps();
      if (forward >= FORWARD) {
        return inOrder(reads, Evidence.RUNS, forward, FORWARD);
      }
      double ordered = reads.distinct.length >= least ? runs.ordered(JOINED) : 0;
      return ordered >= ORDERED
          ? inOrder(reads, Evidence.MIXED_RUNS, ordered, ORDERED)
          : recognized(AccessPattern.UNKNOWN, Evidence.MIXED_RUNS, ordered, ORDERED);
    }

    /** Returns sequential, or random for a loop: that reads each item again, equally often. */
    private Recognition inOrder(
        OrderedReads reads, Evidence evidence, double statistic, double threshold) {
      int different = reads.distinct.length;
      double times = (double) reads.size() / different;
      boolean loops =
          reads.populationKnown && different >= LOOPED * reads.population && times >= LOOPS;
      return loops
          ? recognized(AccessPattern.RANDOM, Evidence.LOOPS, times, LOOPS)
          : recognized(AccessPattern.SEQUENTIAL, evidence, statistic, threshold);
    }

    private Recognition places(OrderedReads reads) {
      RunTest runs = new RunTest(reads);
      MovingWindowTest window = new MovingWindowTest(reads, runs.reach());
      if (reads.distinct.length >= least) {
        double movement = window.movement();
        if (movement >= window.threshold()) {
          return recognized(
              AccessPattern.SEQUENTIAL, Evidence.MOVING_WINDOW, movement, window.threshold());
        }
        double ordered = window.narrow() ? runs.ordered(JOINED) : 0;
        if (ordered >= NARROW_ORDERED) {
          return recognized(AccessPattern.SEQUENTIAL, Evidence.MIXED_RUNS, ordered, NARROW_ORDERED);
        }
      }
      double distance = GapTest.distance(reads);
      double most = gaps.mostDistance(reads);
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
