package io.quiver.simulator.shade;

import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.shade.SampleTrace.Sampling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts how often samples are read in an epoch, and how their scores are distributed after it
 * (SHADE, Figures 2 and 3): with the loss of the batch as the score of all its samples, as in the
 * paper's figures, and with ranks.
 */
public final class AccessStudy {
  /** Number of equal parts into which scores are divided. */
  public static final int PARTS = 20;

  /** The epochs that the paper shows. */
  private static final List<Integer> EPOCHS = List.of(1, 20, 89);

  private AccessStudy() {}

  /**
   * The result of an epoch.
   *
   * @param sampling {@code batch-losses} or {@code ranks}
   * @param epoch counted from 0
   * @param twice share of the samples that were read more than once
   * @param thrice share of the samples that were read three times or more
   * @param important share of the samples whose score is above 30 % of the largest
   * @param scores share of the samples in each part between 0 and the largest score
   */
  public record Row(
      String sampling,
      int epoch,
      double twice,
      double thrice,
      double important,
      List<Double> scores) {}

  /** Trains a model for 90 epochs, once with each kind of score. */
  public static List<Row> run(int items, int batch, long seed, Runs.Listener progress) {
    SampleTrace.Size size = new SampleTrace.Size(items, EPOCHS.getLast() + 1, batch, seed);
    Traces traces = new Traces(size, GeneratedSamples.Kind.FEW_CLASSES);
    List<Sampling> samplings = List.of(Sampling.BATCH_LOSSES, Sampling.RANKS);
    return new Steps(samplings.size(), progress)
        .all(samplings, sampling -> rows(sampling, traces.get(sampling, 0))).stream()
            .flatMap(List::stream)
            .toList();
  }

  private static List<Row> rows(Sampling sampling, SampleTrace trace) {
    int items = trace.size().items();
    int[] scores = new int[items];
    List<Row> rows = new ArrayList<>();
    for (int epoch = 0; epoch < trace.size().epochs(); epoch++) {
      int[] reads = new int[items];
      int[] entries = trace.entries(epoch);
      for (int place = 0; place < entries.length; place++) {
        reads[entries[place]]++;
        scores[entries[place]] = trace.learned(epoch)[place];
      }
      if (EPOCHS.contains(epoch)) {
        String name = sampling == Sampling.RANKS ? "ranks" : "batch-losses";
        rows.add(row(name, epoch, reads, scores));
      }
    }
    return rows;
  }

  private static Row row(String name, int epoch, int[] reads, int[] scores) {
    double items = reads.length;
    int largest = Arrays.stream(scores).max().orElse(1);
    int[] counts = new int[PARTS];
    Arrays.stream(scores)
        .forEach(score -> counts[(int) Math.min(PARTS - 1L, (long) PARTS * score / largest)]++);
    return new Row(
        name,
        epoch,
        Arrays.stream(reads).filter(each -> each > 1).count() / items,
        Arrays.stream(reads).filter(each -> each > 2).count() / items,
        Arrays.stream(scores).filter(score -> score > 0.3 * largest).count() / items,
        Arrays.stream(counts).mapToObj(count -> count / items).toList());
  }
}
