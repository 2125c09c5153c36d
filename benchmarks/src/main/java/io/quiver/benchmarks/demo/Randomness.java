package io.quiver.benchmarks.demo;

import io.quiver.benchmarks.demo.report.DemoResult.OrderQuality;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.order.ShuffleQuality;
import io.quiver.core.order.ShuffleQuality.Figure;
import io.quiver.core.order.ShuffleQuality.Independence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Compares the order the first job was given by Quiver with a global shuffle. */
final class Randomness {
  private static final int BANDS = 10;

  private final DatasetDigest digest;
  private final int[] labels;
  private final List<OrderQuality> found = new ArrayList<>();

  private Randomness(DatasetDigest digest) {
    this.digest = digest;
    this.labels = IntStream.range(0, digest.itemCount()).map(this::label).toArray();
  }

  /** Returns the class of an item; without labels, which tenth of the data set it lies in. */
  private int label(int item) {
    return digest.hasLabels()
        ? Math.max(0, digest.label(item))
        : (int) ((long) item * BANDS / digest.itemCount());
  }

  /** Returns every figure of every epoch that was written down whole. */
  static List<OrderQuality> compare(List<RunResult> runs, DatasetDigest digest, int batch) {
    List<ShuffleQuality> epochs =
        runs.stream()
            .filter(run -> run.mode() == DemoMode.QUIVER)
            .flatMap(run -> run.recording().orders().stream())
            .filter(order -> order.length == digest.itemCount())
            .map(order -> quality(order, batch))
            .toList();
    return epochs.isEmpty() ? List.of() : new Randomness(digest).measure(epochs);
  }

  private static ShuffleQuality quality(int[] order, int batch) {
    ShuffleQuality quality = new ShuffleQuality(order.length);
    for (int from = 0; from < order.length; from += batch) {
      quality.add(Arrays.copyOfRange(order, from, Math.min(order.length, from + batch)));
    }
    return quality;
  }

  private List<OrderQuality> measure(List<ShuffleQuality> epochs) {
    for (int i = 0; i < epochs.size(); i++) {
      ShuffleQuality epoch = epochs.get(i);
      String name = "epoch " + (i + 1);
      add(name, "mean distance of an item from its place in the data set", epoch.displacement());
      Independence place = epoch.positionAgainstIndex();
      add(
          name,
          "chi-square of place in the epoch against place in the data set",
          new Figure(place.statistic(), place.degreesOfFreedom()));
      add(name, "classes in a batch", epoch.classesPerBatch(labels));
      if (i > 0) {
        add(
            "epochs " + i + " and " + (i + 1),
            "pairs of items that share a batch in both",
            epoch.pairsMeetingAgain(epochs.get(i - 1)));
      }
    }
    return found;
  }

  private void add(String order, String measure, Figure figure) {
    found.add(new OrderQuality(order, measure, figure.measured(), figure.expected()));
  }
}
