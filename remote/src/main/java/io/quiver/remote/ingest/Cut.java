package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;
import java.io.IOException;

/** Cuts one object, or one slice of a large one, into items and hashes them. */
interface Cut {
  void run(Hasher hasher, ItemSink sink) throws IOException, InterruptedException;

  /** Takes the items of one object in their order. */
  interface ItemSink {
    /**
     * Adds the next item.
     *
     * @param hash its SHA-256; the array may be reused afterwards
     * @param label its own label, or -1
     * @param name its name inside the object in UTF-8, empty if it has none
     */
    void add(byte[] hash, long size, long offset, int label, byte[] name)
        throws InterruptedException;

    /** Reports items of zero bytes that were left out. */
    void emptySkipped(long count);
  }

  /**
   * A unit of work: an object, or a slice of one.
   *
   * @param object what is cut
   * @param bytes the bytes of the object that this unit adds to the progress
   * @param last whether no further slice of the object follows
   * @param whole whether the object is one item, labelled by its folder
   * @param reused whether the rows come from an earlier run
   */
  record PlannedCut(
      RemoteObject object, Cut cut, long bytes, boolean last, boolean whole, boolean reused) {}
}
