package io.quiver.core.stream.tree;

/**
 * An order of places of which every beginning lies all over them. What is in the cache is read
 * faster, so reads of it come in bursts: were a stream filled from its beginning, random reads
 * would look skewed.
 */
final class ScatteredOrder {
  /** Multiples of this part of a whole lie evenly on it, however many there are. */
  private static final double GOLDEN = 0.618;

  private final int places;
  private final int step;

  ScatteredOrder(int places) {
    this.places = places;
    int apart = Math.max(1, (int) (GOLDEN * places));
    while (greatestDivisor(apart, places) > 1) {
      apart++;
    }
    this.step = apart;
  }

  private static int greatestDivisor(int one, int other) {
    return other == 0 ? one : greatestDivisor(other, one % other);
  }

  int size() {
    return places;
  }

  /** Returns a place; as many numbers as there are places have a different one each. */
  int place(int number) {
    return (int) ((long) number * step % places);
  }
}
