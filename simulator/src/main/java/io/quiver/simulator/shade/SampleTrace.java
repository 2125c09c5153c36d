package io.quiver.simulator.shade;

import io.quiver.core.importance.ImportanceDraw;
import io.quiver.core.importance.ItemScores;
import io.quiver.core.importance.RankScore;
import io.quiver.core.importance.RepeatLayout;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededPermutation;
import io.quiver.core.order.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The samples that a training job reads, epoch after epoch, with the score each of them gets when
 * its batch has been learned. What a cache does changes neither, so every policy that goes by one
 * sampling is replayed on the same trace.
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
    /** By ranks, one epoch ahead, with a floor for coverage and repeats drawn together (ours). */
    AHEAD
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
  }

  private final Size size;
  private final Sampling sampling;
  private final ItemScores scores;
  private final LossModel model;
  private final List<ItemList> lists = new ArrayList<>();
  private final List<int[]> learned = new ArrayList<>();

  private SampleTrace(Size size, Sampling sampling) {
    this.size = size;
    this.sampling = sampling;
    this.scores = new ItemScores(size.items);
    this.model = new LossModel(size.items, size.seed);
  }

  /** Trains through all epochs. */
  static SampleTrace of(Size size, Sampling sampling) {
    SampleTrace trace = new SampleTrace(size, sampling);
    // A list that is drawn ahead goes by the scores before the epoch that precedes it.
    ItemList next = trace.draw(0);
    for (int epoch = 0; epoch < size.epochs; epoch++) {
      ItemList list = next;
      if (sampling == Sampling.AHEAD) {
        next = trace.draw(epoch + 1);
      }
      trace.learn(list);
      if (sampling != Sampling.AHEAD) {
        next = trace.draw(epoch + 1);
      }
    }
    trace.lists.add(next);
    return trace;
  }

  private ItemList draw(int epoch) {
    long seed = SeededRandom.derive(size.seed, sampling.name().hashCode());
    return switch (sampling) {
      case SHUFFLE -> {
        SeededPermutation order =
            new SeededPermutation(size.items, SeededRandom.derive(seed, epoch));
        int[] entries = new int[size.items];
        Arrays.setAll(entries, order::at);
        yield new ItemList(size.items, entries);
      }
      case RANKS, BATCH_LOSSES -> ImportanceDraw.draw(scores, 0, seed, epoch);
      case AHEAD -> {
        ItemList drawn = ImportanceDraw.draw(scores, ImportanceDraw.DEFAULT_FLOOR, seed, epoch);
        yield RepeatLayout.of(drawn, size.batch, SeededRandom.derive(~seed, epoch));
      }
    };
  }

  private void learn(ItemList list) {
    int[] entries = list.entries();
    int[] given = new int[entries.length];
    for (int from = 0; from < entries.length; from += size.batch) {
      int[] batch = Arrays.copyOfRange(entries, from, Math.min(entries.length, from + size.batch));
      double[] losses = Arrays.stream(batch).mapToDouble(model::learn).toArray();
      if (sampling == Sampling.BATCH_LOSSES) {
        double mean = Arrays.stream(losses).average().orElse(0);
        int[] coarse = new int[batch.length];
        Arrays.fill(coarse, 1 + (int) (mean * (1 << RankScore.FRACTION_BITS)));
        scores.merge(batch, coarse, batch.length);
      } else {
        scores.report(batch, losses);
      }
      for (int i = 0; i < batch.length; i++) {
        given[from + i] = scores.score(batch[i]);
      }
    }
    lists.add(list);
    learned.add(given);
  }

  Size size() {
    return size;
  }

  /** Returns the list of an epoch; there is one more than epochs. */
  ItemList list(int epoch) {
    return lists.get(epoch);
  }

  /** Returns the score that each entry of an epoch's list got. */
  int[] learned(int epoch) {
    return learned.get(epoch);
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
