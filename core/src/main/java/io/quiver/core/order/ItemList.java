package io.quiver.core.order;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A known list of the items that a job reads in one epoch, in order. An item may stand in it any
 * number of times, or not at all.
 */
public final class ItemList {
  private static final int HASHED_AT_ONCE = 1 << 14;

  private final int items;
  private final int[] entries;
  private final String sha256;

  /**
   * Creates a list.
   *
   * @param items how many items the data set has
   * @param entries indices of items, in the order they are to be read
   */
  public ItemList(int items, int[] entries) {
    this.items = items;
    this.entries = entries.clone();
    for (int place = 0; place < entries.length; place++) {
      if (entries[place] < 0 || entries[place] >= items) {
        throw new IllegalArgumentException(
            "item " + entries[place] + " of " + items + " at place " + place + " of a list");
      }
    }
    this.sha256 = hash(items, this.entries);
  }

  /** Returns how many items the data set has. */
  public int items() {
    return items;
  }

  /** Returns how many entries the list has, counting repeats. */
  public int size() {
    return entries.length;
  }

  /** Returns the item at a place. */
  public int at(int place) {
    return entries[place];
  }

  /** Returns all entries in order. */
  public int[] entries() {
    return entries.clone();
  }

  /** Returns how many different items the list has. */
  public int distinct() {
    ItemBits listed = new ItemBits(items);
    Arrays.stream(entries).forEach(listed::set);
    return listed.count();
  }

  /**
   * Returns the list's name: the SHA-256, in hexadecimal digits, of the number of items, the number
   * of entries and all entries, each as four bytes, the lowest first.
   */
  public String sha256() {
    return sha256;
  }

  private static String hash(int items, int[] entries) {
    MessageDigest digest = ContentHash.newDigest();
    ByteBuffer bytes = ByteBuffer.allocate(4 * HASHED_AT_ONCE).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(items).putInt(entries.length);
    for (int entry : entries) {
      if (!bytes.hasRemaining()) {
        digest.update(bytes.flip());
        bytes.clear();
      }
      bytes.putInt(entry);
    }
    digest.update(bytes.flip());
    return HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ItemList that && sha256.equals(that.sha256);
  }

  @Override
  public int hashCode() {
    return sha256.hashCode();
  }

  @Override
  public String toString() {
    return "list " + sha256.substring(0, 8) + " of " + entries.length + " entries";
  }
}
