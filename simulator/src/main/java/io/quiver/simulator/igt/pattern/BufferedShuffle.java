package io.quiver.simulator.igt.pattern;

import java.util.random.RandomGenerator;

/**
 * A scan that is shuffled in a buffer, which moves over the items: each read is drawn from the
 * buffer, and the next item takes its place. At the end of the items the buffer becomes empty, and
 * the next scan fills it again.
 */
final class BufferedShuffle implements ReadSource {
  private final int items;
  private final RandomGenerator random;
  private final int[] buffer;
  private int filled;
  private int next;

  /** Begins at a place that is drawn. */
  BufferedShuffle(int items, int size, RandomGenerator random) {
    this.items = items;
    this.random = random;
    this.buffer = new int[size];
    this.next = random.nextInt(items);
    fill();
  }

  private void fill() {
    while (filled < buffer.length && next < items) {
      buffer[filled++] = next++;
    }
  }

  @Override
  public Read next() {
    if (filled == 0) {
      next = 0;
      fill();
    }
    int place = random.nextInt(filled);
    int drawn = buffer[place];
    buffer[place] = buffer[--filled];
    fill();
    return new Read(drawn, 0);
  }
}
