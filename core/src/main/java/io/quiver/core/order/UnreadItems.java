package io.quiver.core.order;

/**
 * The items that a reader has still to read in its epoch: all that rules about waiting need to
 * know.
 */
public interface UnreadItems {
  /** Returns how many items of this rank can be drawn now, without padding. */
  int available();

  /** Returns how many items of this rank in a chunk can be drawn now. */
  int available(int chunk);
}
