package io.quiver.core.stream.tree;

import java.util.Random;
import java.util.stream.IntStream;

/** Orders in which programs read numbered items. */
final class Orders {
  private Orders() {}

  /** Returns all items in their order. */
  static int[] scan(int items) {
    return IntStream.range(0, items).toArray();
  }

  /** Returns all items in another order for each epoch. */
  static int[] epochs(int items, int epochs, Random random) {
    return IntStream.range(0, epochs)
        .flatMap(any -> IntStream.of(shuffled(items, random)))
        .toArray();
  }

  /** Returns all items in an order that is drawn. */
  static int[] shuffled(int items, Random random) {
    int[] order = scan(items);
    for (int i = items - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int item = order[i];
      order[i] = order[other];
      order[other] = item;
    }
    return order;
  }

  /** Returns reads whose popularity follows Zipf's law; popular items lie anywhere. */
  static int[] zipf(int items, int reads, double exponent, Random random) {
    int[] places = shuffled(items, random);
    double[] sums = new double[items];
    double sum = 0;
    for (int i = 0; i < items; i++) {
      sum += Math.pow(i + 1.0, -exponent);
      sums[i] = sum;
    }
    double all = sum;
    return IntStream.range(0, reads)
        .map(any -> places[rank(sums, random.nextDouble() * all)])
        .toArray();
  }

  private static int rank(double[] sums, double drawn) {
    int at = java.util.Arrays.binarySearch(sums, drawn);
    return Math.min(at >= 0 ? at : -1 - at, sums.length - 1);
  }
}
