package io.quiver.simulator.shade;

import io.quiver.core.order.SeededRandom;
import java.util.Random;

/**
 * Labelled samples made from a seed. A class is a mixture of clusters, most of its samples in one,
 * few in another; classes overlap, and some are several times as large as others. So there are
 * samples that are learned at once, samples that take long, and samples that are never learned.
 */
final class GeneratedSamples {
  /**
   * A kind of data set.
   *
   * @param classes number of classes
   * @param features numbers of a sample
   * @param spread standard deviation of the centres of clusters; that of samples around them is 1
   * @param wrongLabels share of the training samples that have the label of another class
   */
  record Kind(int classes, int features, double spread, double wrongLabels) {
    /** A set like CIFAR-10: few classes that a small model learns well. */
    static final Kind FEW_CLASSES = new Kind(10, 16, 1.25, 0);

    /** A set like CIFAR-100: many classes, which it does not. */
    static final Kind MANY_CLASSES = new Kind(40, 24, 0.9, 0);

    Kind withWrongLabels(double share) {
      return new Kind(classes, features, spread, share);
    }
  }

  /** Shares of the clusters of a class. */
  private static final double[] CLUSTERS = {0.55, 0.25, 0.15, 0.05};

  /** The share of a class, compared with that of the class before it. */
  private static final double IMBALANCE = 0.85;

  private static final int LARGE_CLASSES = 10;
  private static final int TEST_SAMPLES = 2_000;

  private final Kind kind;
  private final float[] features;
  private final int[] labels;

  private GeneratedSamples(Kind kind, int samples) {
    this.kind = kind;
    this.features = new float[samples * kind.features];
    this.labels = new int[samples];
  }

  /** Returns samples to learn from. */
  static GeneratedSamples training(Kind kind, int samples, long seed) {
    GeneratedSamples made = make(kind, samples, seed, 1);
    Random random = new Random(SeededRandom.derive(seed, 3));
    for (int sample = 0; sample < samples; sample++) {
      if (random.nextDouble() < kind.wrongLabels) {
        int other = 1 + random.nextInt(kind.classes - 1);
        made.labels[sample] = (made.labels[sample] + other) % kind.classes;
      }
    }
    return made;
  }

  /** Returns other samples of the same classes, all with true labels. */
  static GeneratedSamples test(Kind kind, long seed) {
    return make(kind, TEST_SAMPLES, seed, 2);
  }

  private static GeneratedSamples make(Kind kind, int samples, long seed, long part) {
    double[] centres = centres(kind, seed);
    double[] shares = new double[kind.classes];
    for (int each = 0; each < shares.length; each++) {
      shares[each] = StrictMath.pow(IMBALANCE, each % LARGE_CLASSES);
    }
    GeneratedSamples made = new GeneratedSamples(kind, samples);
    Random random = new Random(SeededRandom.derive(seed, part));
    for (int sample = 0; sample < samples; sample++) {
      int label = pick(shares, random);
      int centre = (label * CLUSTERS.length + pick(CLUSTERS, random)) * kind.features;
      made.labels[sample] = label;
      for (int i = 0; i < kind.features; i++) {
        made.features[sample * kind.features + i] =
            (float) (centres[centre + i] + random.nextGaussian());
      }
    }
    return made;
  }

  private static double[] centres(Kind kind, long seed) {
    Random random = new Random(SeededRandom.derive(seed, 0));
    return random
        .doubles((long) kind.classes * CLUSTERS.length * kind.features)
        .map(each -> kind.spread * random.nextGaussian())
        .toArray();
  }

  private static int pick(double[] shares, Random random) {
    double sum = 0;
    for (double share : shares) {
      sum += share;
    }
    double point = random.nextDouble() * sum;
    int at = 0;
    while (at < shares.length - 1 && point >= shares[at]) {
      point -= shares[at++];
    }
    return at;
  }

  Kind kind() {
    return kind;
  }

  int size() {
    return labels.length;
  }

  int label(int sample) {
    return labels[sample];
  }

  /** Returns the features of all samples, one sample after the other. */
  float[] features() {
    return features;
  }
}
