package io.quiver.simulator.igt.pattern;

/** A scan: reads a range of items in order, and begins again at its end. */
final class ScanReads implements ReadSource {
  private final int first;
  private final int until;
  private final int step;
  private int item;

  /**
   * Scans every step-th item of a range.
   *
   * @param start how many of its items were read before
   */
  ScanReads(int first, int until, int step, int start) {
    this.first = first;
    this.until = until;
    this.step = step;
    this.item = first + start * step;
  }

  @Override
  public Read next() {
    if (item >= until) {
      item = first;
    }
    Read read = new Read(item, 0);
    item += step;
    return read;
  }
}
