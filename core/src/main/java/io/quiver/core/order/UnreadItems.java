package io.quiver.core.order;

/**
 * The items that a reader has still to read in its epoch: all that rules about waiting need to
 * know.
 */
public interface UnreadItems {
  /** Items of this rank that can be drawn now, without padding. */
  int available();

  /** Items of this rank in a chunk that can be drawn now. */
  int available(int chunk);
}
