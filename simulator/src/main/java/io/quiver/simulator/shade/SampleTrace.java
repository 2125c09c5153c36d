package io.quiver.simulator.shade;

import io.quiver.core.importance.ImportanceDraw;
import io.quiver.core.importance.ItemScores;
import io.quiver.core.importance.RankScore;
import io.quiver.core.importance.RepeatLayout;
import io.quiver.core.importance.Repetition;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededPermutation;
import io.quiver.core.order.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The samples that a training job reads, epoch after epoch, with the score each of them gets when
 * its batch has been learned, and how well the model does meanwhile. What a cache does changes none
 * of it, but where samples are drawn by what is cached; so every policy that goes by one sampling
 * is replayed on the same trace.
 */
final class SampleTrace {
  /** The ways of choosing the samples of an epoch. */
  enum Sampling {
    /** Every sample once, in random order. */
    SHUFFLE,
    /** In proportion to the rank of each sample's loss, at the boundary of epochs (the paper). */
    RANKS,
    /** In proportion to the loss of the batch it was in: importance without decomposed losses. */
    BATCH_LOSSES,
    /** By ranks; what is cached of a draw comes first, and thrice (the authors' program). */
    CACHED_THRICE,
    /** By ranks, one epoch ahead, with a floor for coverage and repeats drawn together (ours). */
    AHEAD,
    /** As ahead, but from a rotating pool (ours, with repetition). */
    POOL;

    /** Returns true if the list of an epoch is drawn before the epoch that precedes it. */
    boolean isAhead() {
      return this == AHEAD || this == POOL;
    }
  }

  /**
   * The size of a study.
   *
   * @param items samples of the data set
   * @param epochs how often it is gone through
   * @param batch samples of a batch
   * @param seed decides everything random
   */
  record Size(int items, int epochs, int batch, long seed) {
    Size {
      if (items < 10 || epochs < 1 || batch < 2 || batch > items) {
        throw new IllegalArgumentException(
            "%d epochs of %d samples in batches of %d; use at least 10 samples and batches of 2"
                .formatted(epochs, items, batch));
      }
    }

    int batches() {
      return (items + batch - 1) / batch;
    }
  }

  /** A list with how much each item counts; all count the same if there are no weights. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Drawn(ItemList list, double[] weights) {}

  private static final int TIMES = 3;
  private static final double[] EVEN = {};

  /** Number of tests of the model in an epoch. */
  static final int TESTS = 2;

  private final Size size;
  private final Sampling sampling;
  private final ItemScores scores;
  private final Repetition repetition;
  private final Learner learner;
  private final ScoredReplay cache;
  private final List<ItemList> lists = new ArrayList<>();
  private final List<int[]> entries = new ArrayList<>();
  private final List<int[]> learned = new ArrayList<>();
  private final List<Double> losses = new ArrayList<>();
  private final List<Double> accuracies = new ArrayList<>();

  private SampleTrace(
      Size size, Sampling sampling, GeneratedSamples.Kind kind, int capacity, long seed) {
    this.size = size;
    this.sampling = sampling;
    this.scores = new ItemScores(size.items);
    this.repetition = new Repetition(scores, Repetition.DEFAULT_POOL, seed);
    this.learner =
        new Learner(
            GeneratedSamples.training(kind, size.items, size.seed),
            GeneratedSamples.test(kind, size.seed),
            size.seed);
    this.cache = new ScoredReplay(size.items, capacity);
  }

  /**
   * Trains through all epochs.
   *
   * @param capacity samples that the cache holds, where draws depend on it
   */
  static SampleTrace of(Size size, Sampling sampling, GeneratedSamples.Kind kind, int capacity) {
    long seed = SeededRandom.derive(size.seed, sampling.name().hashCode());
    SampleTrace trace = new SampleTrace(size, sampling, kind, capacity, seed);
    Drawn next = trace.draw(0, seed);
    for (int epoch = 0; epoch < size.epochs; epoch++) {
      Drawn now = next;
      if (sampling.isAhead()) {
        next = trace.draw(epoch + 1, seed);
      }
      trace.learn(now);
      if (!sampling.isAhead()) {
        next = trace.draw(epoch + 1, seed);
      }
    }
    trace.lists.add(next.list);
    return trace;
  }

  private Drawn draw(int epoch, long seed) {
    return switch (sampling) {
      case SHUFFLE -> {
        SeededPermutation order =
            new SeededPermutation(size.items, SeededRandom.derive(seed, epoch));
        int[] entries = new int[size.items];
        Arrays.setAll(entries, order::at);
        yield new Drawn(new ItemList(size.items, entries), EVEN);
      }
      case RANKS, BATCH_LOSSES -> new Drawn(ImportanceDraw.draw(scores, 0, seed, epoch), EVEN);
      case CACHED_THRICE -> new Drawn(repeated(epoch, seed), EVEN);
      case AHEAD ->
          laidOut(
              ImportanceDraw.draw(scores, ImportanceDraw.DEFAULT_FLOOR, seed, epoch),
              new Repetition(scores, 1, seed).weights(epoch), // of all samples
              SeededRandom.derive(~seed, epoch));
      case POOL ->
          laidOut(
              repetition.draw(epoch), repetition.weights(epoch), SeededRandom.derive(~seed, epoch));
    };
  }

  private Drawn laidOut(ItemList drawn, double[] weights, long seed) {
    return new Drawn(RepeatLayout.of(drawn, size.batch, seed), weights);
  }

  /** Lists the cached part of a draw several times, shuffled, then the rest as far as it goes. */
  private ItemList repeated(int epoch, long seed) {
    int[] drawn = ImportanceDraw.draw(scores, 0, seed, epoch).entries();
    int[] cached = Arrays.stream(drawn).filter(cache::holds).toArray();
    int[] missing = Arrays.stream(drawn).filter(item -> !cache.holds(item)).toArray();
    int hits = Math.min(drawn.length, TIMES * cached.length);
    SeededPermutation order =
        new SeededPermutation(TIMES * cached.length, SeededRandom.derive(~seed, epoch));
    for (int place = 0; place < drawn.length; place++) {
      drawn[place] = place < hits ? cached[order.at(place) % cached.length] : missing[place - hits];
    }
    return new ItemList(size.items, drawn);
  }

  private void learn(Drawn drawn) {
    int[] entries = drawn.list.entries();
    this.entries.add(entries);
    int[] given = new int[entries.length];
    double sum = 0;
    for (int number = 0; number < size.batches(); number++) {
      int from = number * size.batch;
      int[] batch = Arrays.copyOfRange(entries, from, Math.min(entries.length, from + size.batch));
      double[] told = learner.learn(batch, drawn.weights);
      sum += Arrays.stream(told).sum();
      score(batch, told);
      for (int i = 0; i < batch.length; i++) {
        given[from + i] = scores.score(batch[i]);
      }
      if (sampling == Sampling.CACHED_THRICE) {
        Arrays.stream(batch).forEach(item -> cache.read(item, 0, 0));
        Arrays.stream(batch).forEach(item -> cache.learned(item, scores.score(item)));
      }
      if ((number + 1) * TESTS / size.batches() > number * TESTS / size.batches()) {
        accuracies.add(learner.accuracy());
      }
    }
    losses.add(sum / entries.length);
    lists.add(drawn.list);
    learned.add(given);
  }

  private void score(int[] batch, double[] told) {
    if (sampling != Sampling.BATCH_LOSSES) {
      scores.report(batch, told);
      return;
    }
    double mean = Arrays.stream(told).average().orElse(0);
    int[] coarse = new int[batch.length];
    Arrays.fill(coarse, 1 + (int) (mean * (1 << RankScore.FRACTION_BITS)));
    scores.merge(batch, coarse, batch.length);
  }

  Size size() {
    return size;
  }

  /** Returns the list of an epoch; there is one more than epochs. */
  ItemList list(int epoch) {
    return lists.get(epoch);
  }

  /** Returns the entries of an epoch's list, which must not be changed. */
  int[] entries(int epoch) {
    return entries.get(epoch);
  }

  /** Returns the score that each entry of an epoch's list got. */
  int[] learned(int epoch) {
    return learned.get(epoch);
  }

  /** Returns the mean loss of each epoch. */
  List<Double> losses() {
    return losses;
  }

  /** Returns the model's accuracy, tested several times in each epoch. */
  List<Double> accuracies() {
    return accuracies;
  }

  /** Returns the mean share of different samples in an epoch. */
  double coverage() {
    return lists.stream()
        .limit(size.epochs)
        .mapToDouble(list -> (double) list.distinct() / size.items)
        .average()
        .orElse(0);
  }
}
