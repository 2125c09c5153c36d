package io.quiver.simulator.shade;

import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.shade.GeneratedSamples.Kind;
import io.quiver.simulator.shade.SampleTrace.Sampling;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Trains models of several data sets by shuffles and by importance (SHADE, Figure 4): what the
 * choice of samples alone does to loss and accuracy.
 */
public final class ConvergenceStudy {
  private record Dataset(String name, Kind kind) {}

  private record Choice(String name, Sampling sampling) {}

  private record Part(Dataset dataset, Choice choice) {}

  private static final List<Dataset> DATASETS =
      List.of(
          new Dataset("few-classes", Kind.FEW_CLASSES),
          new Dataset("many-classes", Kind.MANY_CLASSES),
          new Dataset("wrong-labels", Kind.FEW_CLASSES.withWrongLabels(0.1)));

  private static final List<Choice> CHOICES =
      List.of(
          new Choice("shuffle", Sampling.SHUFFLE),
          new Choice("batch-losses", Sampling.BATCH_LOSSES),
          new Choice("ranks", Sampling.RANKS),
          new Choice("shade", Sampling.AHEAD),
          new Choice("shade-repeat", Sampling.POOL));

  private ConvergenceStudy() {}

  /**
   * The result of a training.
   *
   * @param dataset {@code few-classes}, {@code many-classes} or {@code wrong-labels}: few classes
   *     with a tenth of the labels wrong
   * @param sampling {@code shuffle}, {@code batch-losses}, {@code ranks} (the paper's), {@code
   *     shade} or {@code shade-repeat} (ours)
   * @param losses mean loss of each epoch
   * @param accuracies accuracy after each epoch
   */
  public record Row(String dataset, String sampling, List<Double> losses, List<Double> accuracies) {
    /** Returns the mean accuracy of the last epochs. */
    public double finalAccuracy() {
      return accuracies.stream()
          .skip(Math.max(0, accuracies.size() - 5))
          .mapToDouble(each -> each)
          .average()
          .orElse(0);
    }

    /** Returns after how many epochs an accuracy is reached, infinity if never. */
    public double epochsTo(double accuracy) {
      return IntStream.range(0, accuracies.size())
          .filter(epoch -> accuracies.get(epoch) >= accuracy)
          .mapToDouble(epoch -> epoch + 1.0)
          .findFirst()
          .orElse(Double.POSITIVE_INFINITY);
    }
  }

  /** Trains every model for so many epochs. */
  public static List<Row> run(int items, int epochs, int batch, long seed, Runs.Listener progress) {
    List<Part> parts = new ArrayList<>();
    DATASETS.forEach(set -> CHOICES.forEach(choice -> parts.add(new Part(set, choice))));
    SampleTrace.Size size = new SampleTrace.Size(items, epochs, batch, seed);
    return new Steps(parts.size(), progress).all(parts, part -> row(part, size));
  }

  private static Row row(Part part, SampleTrace.Size size) {
    SampleTrace trace = SampleTrace.of(size, part.choice.sampling, part.dataset.kind, 0);
    List<Double> tests = trace.accuracies();
    List<Double> ends =
        IntStream.range(0, size.epochs())
            .mapToObj(epoch -> tests.get(SampleTrace.TESTS * (epoch + 1) - 1))
            .toList();
    return new Row(part.dataset.name, part.choice.name, trace.losses(), ends);
  }
}
