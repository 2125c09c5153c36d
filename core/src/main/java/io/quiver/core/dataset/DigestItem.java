package io.quiver.core.dataset;

import io.quiver.core.hash.ContentHash;

/**
 * One item of a data set: what its bytes hash to and where they lie in the user's own store.
 *
 * @param hash SHA-256 of the bytes
 * @param size how many bytes
 * @param objectName the object they lie in, a path below the data set's root
 * @param offset where in the object they start
 * @param name the item's own name inside its object (a member of an archive); empty if it has none
 * @param label its class, or {@link #NONE}
 * @param length its length in units of the data set, or {@link #NONE}
 */
public record DigestItem(
    ContentHash hash,
    long size,
    String objectName,
    long offset,
    String name,
    int label,
    int length) {

  /** Stands for a label or length that an item does not have. */
  public static final int NONE = -1;

  /** No item is larger and none starts later, so that sums of the two cannot overflow. */
  public static final long MAX_BYTES = 1L << 60;

  /** Checks the ranges. */
  public DigestItem {
    if (size < 0 || offset < 0 || size > MAX_BYTES || offset > MAX_BYTES) {
      throw new IllegalArgumentException(
          "an item of " + size + " bytes at offset " + offset + " cannot exist: " + objectName);
    }
    if (label < NONE || length < NONE) {
      throw new IllegalArgumentException(
          "label " + label + " and length " + length + " may not be below -1: " + objectName);
    }
  }

  /** Returns an item that is a whole object, without label and length. */
  public static DigestItem whole(ContentHash hash, long size, String objectName) {
    return new DigestItem(hash, size, objectName, 0, "", NONE, NONE);
  }

  /** Returns a copy with a label. */
  public DigestItem withLabel(int value) {
    return new DigestItem(hash, size, objectName, offset, name, value, length);
  }

  /** Returns the object, and for an item that is only a part of it the name or offset inside. */
  public String location() {
    if (!name.isEmpty()) {
      return objectName + "!" + name;
    }
    return offset == 0 ? objectName : objectName + "@" + offset;
  }
}
