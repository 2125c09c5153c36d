package io.quiver.core.stream.tree;

/**
 * The places at which a directory or file is read forward. Reads near each other belong to one run
 * whoever makes them: the workers of one loader go forward together.
 */
final class ForwardRuns {
  static final long HELD_BYTES = 1550;

  private static final int MOST = 32;

  /** Reads this near to a run belong to it. */
  private static final int NEAR = 64;

  /** A jump is no run; reads that go on from it are. */
  private static final int LEAST_READS = 2;

  /** So many equal steps in a row make a stride. */
  private static final int STEADY_STEPS = 4;

  /** After so many reads a run without a stride goes item by item, in some disorder. */
  private static final int UNSTEADY_READS = 6;

  private final int[] last = new int[MOST];
  private final int[] ahead = new int[MOST];
  private final int[] strides = new int[MOST];
  private final int[] steady = new int[MOST];
  private final int[] reads = new int[MOST];
  private final int[] ends = new int[MOST];
  private final ReadPlaces done = new ReadPlaces();
  private int size;
  private int oldest;
  private int at;

  int size() {
    return size;
  }

  /**
   * Notes a read at a place. {@link #from} and {@link #to} tell then what is next.
   *
   * @return false if nothing is to be read ahead
   */
  boolean note(int place, int depth) {
    done.note(place);
    at = nearest(place);
    if (at < 0) {
      begin(place);
      return false;
    }
    int step = place - last[at];
    reads[at]++;
    if (step <= 0) {
      return false;
    }
    int before = stride();
    learn(step);
    last[at] = place;
    // With another stride, other places are ahead.
    ahead[at] = stride() == before ? Math.max(ahead[at], place) : place;
    return hasStride() && from() <= to(depth);
  }

  private boolean hasStride() {
    boolean known = strides[at] == 1 || steady[at] >= STEADY_STEPS;
    return reads[at] >= (known ? LEAST_READS : UNSTEADY_READS);
  }

  private int nearest(int place) {
    int best = -1;
    int least = NEAR + 1;
    for (int i = 0; i < size; i++) {
      int distance = Math.abs(place - last[i]);
      if (place > last[i] && place <= ahead[i]) {
        distance = Math.min(distance, 1);
      }
      if (distance < least) {
        best = i;
        least = distance;
      }
    }
    return best;
  }

  private void begin(int place) {
    if (size < MOST) {
      at = size++;
    } else {
      at = oldest;
      oldest = (oldest + 1) % MOST;
    }
    last[at] = place;
    ahead[at] = place;
    strides[at] = 1;
    steady[at] = 0;
    reads[at] = 1;
    ends[at] = Integer.MAX_VALUE;
  }

  private void learn(int step) {
    if (step == strides[at]) {
      steady[at] = STEADY_STEPS;
    } else if (steady[at] > 0) {
      steady[at] -= STEADY_STEPS / 2;
    } else {
      strides[at] = step;
      steady[at] = 1;
    }
  }

  /** Returns the distance between two items that are read. */
  int stride() {
    return steady[at] >= STEADY_STEPS || strides[at] == 1 ? strides[at] : 1;
  }

  /** Returns the first place that is not read ahead yet. */
  int from() {
    int stride = stride();
    int done = Math.max(0, ahead[at] - last[at]) / stride;
    return last[at] + (done + 1) * stride;
  }

  /** Returns the last place that is to be read ahead. */
  int to(int depth) {
    return (int) Math.min(ends[at] - 1L, last[at] + (long) depth * stride());
  }

  /** Returns true if a place was read lately, by whomever, and not since a new pass began. */
  boolean isRead(int place) {
    return done.contains(place);
  }

  /** Notes that everything up to a place is read ahead. */
  void reached(int place) {
    ahead[at] = Math.max(ahead[at], place);
  }

  /** Notes that there is nothing at a place. */
  void ended(int place) {
    for (int i = 0; i < size; i++) {
      if (last[i] < place && ahead[i] >= place) {
        ends[i] = place;
        ahead[i] = place - 1;
      }
    }
  }
}
