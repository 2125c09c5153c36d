package io.quiver.remote.ingest;

import io.quiver.core.dataset.DatasetDigest;
import java.util.function.Consumer;

/**
 * Compares two digests item by item.
 *
 * <p>Items are matched by place first (object and name or offset inside it), what is left by
 * content.
 */
public final class DigestDiff {
  private DigestDiff() {}

  /** One difference; indices are those of the old and of the new digest. */
  public sealed interface Change {
    /** A place that only the new digest has. */
    record Added(int item, String location) implements Change {}

    /** A place that only the old digest has. */
    record Removed(int item, String location) implements Change {}

    /** An item whose place has other bytes now. */
    record Changed(int before, int after, String location) implements Change {}

    /** An item whose bytes lie at another place now. */
    record Moved(int before, int after, String from, String to) implements Change {}
  }

  /**
   * Counts of the differences.
   *
   * @param sameIdentity whether both are the same data set: the same content in the same order
   * @param unchanged items with the same bytes at the same place
   */
  public record Summary(
      boolean sameIdentity, long unchanged, long added, long removed, long changed, long moved) {

    /** Returns true if both hold the same bytes, perhaps in another order or at other places. */
    public boolean sameContent() {
      return added + removed + changed == 0;
    }
  }

  /** Reports every difference to the consumer and returns the counts. */
  public static Summary compare(
      DatasetDigest before, DatasetDigest after, Consumer<Change> changes) {
    try (Comparison comparison = new Comparison(before, after, changes)) {
      return comparison.run();
    }
  }
}
