package io.quiver.simulator.shade;

import java.util.Random;

/**
 * Makes up the losses of samples. Each sample has a difficulty of its own, some far greater than
 * others, and its loss falls as it is learned; what is left is chance. Only the order of losses
 * within a batch matters to scores, so the shape of the curve is of little weight.
 */
final class LossModel {
  /** A sample that was learned once more has this much less of its loss. */
  private static final double LEARNED = 0.15;

  private static final double CHANCE = 0.6;

  private final double[] losses;
  private final Random random;

  LossModel(int items, long seed) {
    this.random = new Random(seed);
    this.losses = new double[items];
    for (int item = 0; item < items; item++) {
      losses[item] = Math.exp(random.nextGaussian());
    }
  }

  /** Returns the loss of a sample that is learned now. */
  double learn(int item) {
    double loss = losses[item] * (1 - CHANCE / 2 + CHANCE * random.nextDouble());
    losses[item] *= 1 - LEARNED;
    return loss;
  }
}
