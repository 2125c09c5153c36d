package io.quiver.benchmarks.reproduce;

import io.quiver.benchmarks.reproduce.PaperClaim.Value;
import io.quiver.benchmarks.reproduce.Reproduction.Observation;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Series;
import io.quiver.simulator.shade.ConvergenceStudy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** SHADE's Figure 4: loss and accuracy by the choice of samples, whatever reading them takes. */
final class ShadeFigure4 implements Experiment {
  private static final int ITEMS = 5_000;
  private static final int EPOCHS = 100;
  private static final int BATCH = 64;
  private static final double PUBLISHED_EPOCHS = 20;
  private static final double NEGLIGIBLE = 0.01;

  @Override
  public String name() {
    return "shade-fig4";
  }

  @Override
  public String summary() {
    return "loss and accuracy over epochs, by shuffles and by importance (FAST '23, Figure 4)";
  }

  @Override
  public Reproduction run(Setting setting, Steps steps) {
    return told(ConvergenceStudy.run(ITEMS, EPOCHS, BATCH, setting.seed(), steps::done));
  }

  static Reproduction told(List<ConvergenceStudy.Row> rows) {
    Table table =
        new Table(
            "data set", "samples", "final accuracy", "final loss", "as good as shuffles after");
    for (ConvergenceStudy.Row row : rows) {
      double epochs = row.epochsTo(shuffled(rows, row.dataset()).finalAccuracy());
      table.row(
          row.dataset(),
          row.sampling(),
          Figures.percent(row.finalAccuracy()),
          Figures.ratio(row.losses().getLast()),
          Double.isFinite(epochs) ? Figures.plain(epochs) + " epochs" : "never");
    }
    List<PaperClaim> claims = List.of(epochs(rows));
    List<Reproduction.Picture> pictures = new ArrayList<>();
    for (String dataset : rows.stream().map(ConvergenceStudy.Row::dataset).distinct().toList()) {
      pictures.add(picture(rows, dataset, true));
      pictures.add(picture(rows, dataset, false));
    }
    return new Reproduction(
        "SHADE, FAST ’23, Figure 4",
        "A small model is trained for 100 epochs on generated data sets: 10 classes (like"
            + " CIFAR-10), 40 classes (like CIFAR-100), and 10 classes of which a tenth of the"
            + " labels is wrong, which the paper does not have. The learning rate is constant.",
        table,
        claims.stream().map(PaperClaim::sentence).toList(),
        List.of(negligible(rows)),
        pictures,
        new PaperClaim.Document(rows, claims));
  }

  private static ConvergenceStudy.Row shuffled(List<ConvergenceStudy.Row> rows, String dataset) {
    return row(rows, dataset, "shuffle");
  }

  private static ConvergenceStudy.Row row(
      List<ConvergenceStudy.Row> rows, String dataset, String sampling) {
    return rows.stream()
        .filter(row -> row.dataset().equals(dataset) && row.sampling().equals(sampling))
        .findFirst()
        .orElseThrow();
  }

  private static PaperClaim epochs(List<ConvergenceStudy.Row> rows) {
    double target = shuffled(rows, "many-classes").finalAccuracy();
    List<ConvergenceStudy.Row> others =
        rows.stream()
            .filter(row -> row.dataset().equals("many-classes"))
            .filter(row -> !row.sampling().equals("shuffle"))
            .toList();
    return PaperClaim.of(
        "Epochs of importance sampling until it is as good as shuffles after 100, many classes",
        PUBLISHED_EPOCHS,
        others.stream().map(row -> new Value(row.sampling(), row.epochsTo(target))).toList(),
        "After 20 epochs shuffles have "
            + Figures.percent(shuffled(rows, "many-classes").accuracies().get(19))
            + " of their "
            + Figures.percent(target)
            + ", and draws by the loss of batches "
            + Figures.percent(row(rows, "many-classes", "batch-losses").accuracies().get(19))
            + ".");
  }

  private static Observation negligible(List<ConvergenceStudy.Row> rows) {
    double shuffled = shuffled(rows, "few-classes").finalAccuracy();
    double drawn = row(rows, "few-classes", "batch-losses").finalAccuracy();
    return new Observation(
        "With few classes importance sampling makes hardly a difference in the end, as in the paper: "
            + Figures.percent(drawn)
            + " instead of "
            + Figures.percent(shuffled)
            + ".",
        Math.abs(drawn - shuffled) <= NEGLIGIBLE);
  }

  private static Reproduction.Picture picture(
      List<ConvergenceStudy.Row> rows, String dataset, boolean accuracy) {
    return ShadePlots.lines(
        "fig4-" + dataset + (accuracy ? "-errors" : "-loss"),
        dataset + (accuracy ? ": errors" : ": loss"),
        accuracy
            ? "Percent of test samples that are told wrong; the lower, the better."
            : "Mean loss of the samples read.",
        "epochs",
        accuracy ? "percent wrong" : "loss",
        rows.stream()
            .filter(row -> row.dataset().equals(dataset))
            .map(row -> new Series(row.sampling(), row.sampling(), points(row, accuracy)))
            .toList());
  }

  private static List<Series.Point> points(ConvergenceStudy.Row row, boolean accuracy) {
    return IntStream.range(0, row.losses().size())
        .mapToObj(epoch ->
            new Series.Point(
                epoch + 1.0,
                accuracy ? 100 * (1 - row.accuracies().get(epoch)) : row.losses().get(epoch)))
        .toList();
  }
}
