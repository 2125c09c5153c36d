package io.quiver.simulator.igt.pattern;

/** Reads each item in pieces, one after the other: the blocks of a file. */
final class PieceReads implements ReadSource {
  private final ReadSource items;
  private final int pieces;
  private Read current = new Read(0, 0);
  private int left;

  PieceReads(ReadSource items, int pieces) {
    this.items = items;
    this.pieces = pieces;
  }

  @Override
  public Read next() {
    if (left == 0) {
      current = items.next();
      left = pieces;
    }
    left--;
    return current;
  }
}
