package io.quiver.core.stream.tree;

import io.quiver.core.stream.StreamRules;

/**
 * Decides how many items are read ahead of a stream: more while programs wait for what was read
 * ahead, fewer when they do not or when the door has no room for it.
 */
final class DepthControl {
  static final long HELD_BYTES = 56;

  private static final int LEAST = 1;
  private static final int SPARE = 8;

  private final int most;
  private int depth;
  private long issued;
  private long used;
  private long lost;
  private int wanted;
  private int refused;

  DepthControl(StreamRules rules) {
    depth = rules.depth();
    most = rules.mostDepth();
  }

  int depth() {
    return depth;
  }

  private long outstanding() {
    return Math.max(0, issued - used - lost);
  }

  /**
   * Returns true if one more item may be read ahead. What is outstanding beyond twice the depth was
   * passed by: it is given up, and the depth becomes smaller.
   */
  boolean allows(int runs) {
    if (depth == 0) {
      return false;
    }
    long limit = 2L * depth * Math.max(1, runs) + SPARE;
    if (outstanding() < limit) {
      return true;
    }
    lost = issued - used - (long) depth / 2;
    halve();
    return outstanding() < 2L * depth + SPARE;
  }

  private void halve() {
    depth = Math.max(Math.min(depth, LEAST), depth / 2);
    wanted = 0;
    refused = 0;
  }

  void issued() {
    issued++;
  }

  /**
   * Notes that a program read what was read ahead.
   *
   * @param late true if it came too late, so that the program waited for it
   */
  void used(boolean late) {
    used++;
    wanted += late ? 1 : 0;
    if (2 * wanted > depth && depth < most) {
      depth = Math.min(most, 2 * depth);
      wanted = 0;
    }
  }

  /** Notes that an item needed no reading: it was at hand. */
  void unneeded() {
    issued--;
  }

  /** Notes that the door had no room. */
  void refused() {
    issued--;
    refused++;
    if (refused >= depth) {
      halve();
    }
  }

  /** Notes that nobody read an item, or that there is none. */
  void lost() {
    lost++;
  }
}
