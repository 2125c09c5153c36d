package io.quiver.remote.ingest;

import io.quiver.core.hash.ContentHash;
import java.util.List;

/**
 * The result of a finished build.
 *
 * @param items items in the digest
 * @param objects objects that hold them
 * @param bytes bytes of all items
 * @param identity the data set's identity
 * @param reusedObjects objects an interrupted run had finished already
 * @param emptyItemsSkipped items of zero bytes that were left out
 * @param unreadableObjects objects that were left out because they could not be read
 * @param complaints the first of those, in words
 */
public record IngestReport(
    long items,
    long objects,
    long bytes,
    ContentHash identity,
    long reusedObjects,
    long emptyItemsSkipped,
    long unreadableObjects,
    List<String> complaints) {

  /** The most complaints kept. */
  public static final int MAX_COMPLAINTS = 100;

  public IngestReport {
    complaints = List.copyOf(complaints);
  }
}
