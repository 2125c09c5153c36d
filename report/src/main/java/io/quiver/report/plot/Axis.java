package io.quiver.report.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * One direction of a plot: values from 0 up, laid between two places.
 *
 * @param largest the largest value to show
 * @param from the place of 0
 * @param to the place of the largest value
 */
record Axis(double largest, double from, double to) {
  private static final double[] STEPS = {1, 2, 2.5, 5, 10};

  Axis {
    largest = largest > 0 ? largest : 1;
  }

  /** Returns the place of a value. */
  double place(double value) {
    return from + (to - from) * value / largest;
  }

  /** About so many round values. */
  List<Double> ticks(int wanted) {
    double rough = largest / wanted;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = power * 10;
    for (double candidate : STEPS) {
      if (candidate * power >= rough * 0.999) {
        step = candidate * power;
        break;
      }
    }
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= largest * 1.0001; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }
}
