package io.quiver.remote.ingest;

/** Takes the items of one object in their order. */
interface ItemSink {
  /**
   * The next item.
   *
   * @param hash its SHA-256; the array may be reused afterwards
   * @param label its own label, or -1
   * @param name its name inside the object in UTF-8, empty if it has none
   */
  void add(byte[] hash, long size, long offset, int label, byte[] name) throws InterruptedException;

  /** Some empty items were left out. */
  void emptySkipped(long count);
}
