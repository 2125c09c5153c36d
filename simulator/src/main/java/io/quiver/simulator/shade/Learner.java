package io.quiver.simulator.shade;

import java.util.Arrays;
import java.util.Random;

/**
 * A classifier with one hidden layer that is trained for real: what it learns from a list of
 * samples, and how fast, depends on the list. Stochastic gradient descent on the cross-entropy of a
 * batch, with momentum. The same seed and samples give the same model on every machine.
 */
final class Learner {
  private static final int HIDDEN = 24;
  private static final float RATE = 0.02f;
  private static final float MOMENTUM = 0.9f;

  private final GeneratedSamples training;
  private final GeneratedSamples test;
  private final int inputs;
  private final int classes;
  private final Layer first;
  private final Layer second;
  private final float[] hidden = new float[HIDDEN];
  private final float[] hiddenError = new float[HIDDEN];
  private final float[] outputs;

  Learner(GeneratedSamples training, GeneratedSamples test, long seed) {
    this.training = training;
    this.test = test;
    this.inputs = training.kind().features();
    this.classes = training.kind().classes();
    this.outputs = new float[classes];
    Random random = new Random(seed);
    this.first = new Layer(inputs, HIDDEN, random);
    this.second = new Layer(HIDDEN, classes, random);
  }

  /**
   * Weights between two layers, those from one unit in a row, the biases last, and what changes
   * them. All inner loops go along rows, which processors do several at a time.
   */
  private static final class Layer {
    private final int from;
    private final int to;
    private final float[] weights;
    private final float[] gradient;
    private final float[] velocity;

    Layer(int from, int to, Random random) {
      this.from = from;
      this.to = to;
      this.weights = new float[(from + 1) * to];
      this.gradient = new float[weights.length];
      this.velocity = new float[weights.length];
      double scale = StrictMath.sqrt(2.0 / from);
      for (int i = 0; i < weights.length; i++) {
        weights[i] = (float) (scale * random.nextGaussian());
      }
    }

    void forward(float[] values, int at, float[] outputs) {
      System.arraycopy(weights, from * to, outputs, 0, to);
      for (int i = 0; i < from; i++) {
        float value = values[at + i];
        for (int unit = 0, row = i * to; unit < to; unit++) {
          outputs[unit] += weights[row + unit] * value;
        }
      }
    }

    void blame(float[] errors, float[] values, int at) {
      for (int i = 0; i <= from; i++) {
        float value = i == from ? 1 : values[at + i];
        for (int unit = 0, row = i * to; unit < to; unit++) {
          gradient[row + unit] += errors[unit] * value;
        }
      }
    }

    /** Passes errors back to the units that had an output. */
    void back(float[] errors, float[] values, float[] passed) {
      for (int i = 0; i < from; i++) {
        float sum = 0;
        for (int unit = 0, row = i * to; unit < to; unit++) {
          sum += weights[row + unit] * errors[unit];
        }
        passed[i] = values[i] > 0 ? sum : 0;
      }
    }

    void step(float rate) {
      for (int i = 0; i < weights.length; i++) {
        velocity[i] = MOMENTUM * velocity[i] - rate * gradient[i];
        weights[i] += velocity[i];
      }
      Arrays.fill(gradient, 0);
    }
  }

  /**
   * Learns from a batch.
   *
   * @param weights how much each training sample counts; all count the same if there are none
   * @return the loss of each sample before
   */
  double[] learn(int[] batch, double[] weights) {
    double[] losses = new double[batch.length];
    for (int i = 0; i < batch.length; i++) {
      float weight = weights.length == 0 ? 1 : (float) weights[batch[i]];
      losses[i] = learn(batch[i], weight);
    }
    first.step(RATE / batch.length);
    second.step(RATE / batch.length);
    return losses;
  }

  private double learn(int sample, float weight) {
    double loss = forward(training, sample);
    outputs[training.label(sample)] -= 1;
    for (int unit = 0; unit < classes; unit++) {
      outputs[unit] *= weight;
    }
    second.blame(outputs, hidden, 0);
    second.back(outputs, hidden, hiddenError);
    first.blame(hiddenError, training.features(), sample * inputs);
    return loss;
  }

  /** Computes the chance of each class; returns the cross-entropy of the true one. */
  private double forward(GeneratedSamples samples, int sample) {
    first.forward(samples.features(), sample * inputs, hidden);
    for (int unit = 0; unit < HIDDEN; unit++) {
      hidden[unit] = Math.max(0, hidden[unit]);
    }
    second.forward(hidden, 0, outputs);
    float largest = Float.NEGATIVE_INFINITY;
    for (int unit = 0; unit < classes; unit++) {
      largest = Math.max(largest, outputs[unit]);
    }
    float sum = 0;
    for (int unit = 0; unit < classes; unit++) {
      outputs[unit] = (float) StrictMath.exp(outputs[unit] - largest);
      sum += outputs[unit];
    }
    for (int unit = 0; unit < classes; unit++) {
      outputs[unit] /= sum;
    }
    return -StrictMath.log(Math.max(outputs[samples.label(sample)], Float.MIN_NORMAL));
  }

  /** Returns the share of test samples that it tells right. */
  double accuracy() {
    int right = 0;
    for (int sample = 0; sample < test.size(); sample++) {
      forward(test, sample);
      int best = 0;
      for (int unit = 1; unit < classes; unit++) {
        best = outputs[unit] > outputs[best] ? unit : best;
      }
      right += best == test.label(sample) ? 1 : 0;
    }
    return (double) right / test.size();
  }
}
