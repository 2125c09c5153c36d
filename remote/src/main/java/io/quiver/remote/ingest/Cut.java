package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;
import io.quiver.remote.ingest.IngestOptions.EmptyItems;
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

  /**
   * Rules that decide which items are accepted.
   *
   * @param maxItemBytes larger ones are refused
   * @param emptyItems what to do with those of zero bytes
   */
  record ItemRules(long maxItemBytes, EmptyItems emptyItems) {

    /** Returns true if an item of this size is accepted, false if an empty one is skipped. */
    boolean admits(long size, String location) throws IngestException {
      if (size > maxItemBytes) {
        throw new IngestException(
            "'%s' has %d bytes, the limit is %d; raise the limit here and at the servers, or exclude it"
                .formatted(location, size, maxItemBytes));
      }
      if (size == 0 && emptyItems == EmptyItems.REFUSE) {
        throw new IngestException(
            "'%s' has zero bytes; fetch it again if the download broke, or keep or skip empty items"
                .formatted(location));
      }
      return size > 0 || emptyItems == EmptyItems.KEEP;
    }
  }
}
