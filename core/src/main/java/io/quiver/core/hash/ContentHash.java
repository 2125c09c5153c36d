package io.quiver.core.hash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The SHA-256 of a blob's bytes: its name everywhere in the system.
 *
 * <p>Who knows a hash may read the blob, so a hash is a secret. {@link #toString()} shows only the
 * first eight digits; {@link #toHex()} is for the wire and for the owner's own eyes. Equality takes
 * the same time wherever two hashes differ.
 *
 * <p>Hashes are ordered, by their bytes, so that hash tables stay fast when somebody sends names
 * that were chosen to collide in them.
 */
public final class ContentHash implements Comparable<ContentHash> {
  /** Length of a hash in bytes. */
  public static final int BYTES = 32;

  // The hash in the order of its bytes, most significant first.
  private final long first;
  private final long second;
  private final long third;
  private final long fourth;

  private ContentHash(long first, long second, long third, long fourth) {
    this.first = first;
    this.second = second;
    this.third = third;
    this.fourth = fourth;
  }

  /** Makes a hash from its 32 bytes. */
  public static ContentHash of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a content hash has " + BYTES + " bytes, this one has " + bytes.length);
    }
    return read(ByteBuffer.wrap(bytes), 0);
  }

  /**
   * Reads a hash from the 32 bytes at an absolute position; the buffer's own position does not
   * move.
   */
  public static ContentHash read(ByteBuffer buffer, int position) {
    if (buffer.order() == ByteOrder.BIG_ENDIAN) {
      return new ContentHash(
          buffer.getLong(position),
          buffer.getLong(position + 8),
          buffer.getLong(position + 16),
          buffer.getLong(position + 24));
    }
    return new ContentHash(
        Long.reverseBytes(buffer.getLong(position)),
        Long.reverseBytes(buffer.getLong(position + 8)),
        Long.reverseBytes(buffer.getLong(position + 16)),
        Long.reverseBytes(buffer.getLong(position + 24)));
  }

  /** Parses a hash from 64 hexadecimal digits, either case. */
  public static ContentHash fromHex(CharSequence hex) {
    if (hex.length() != 2 * BYTES) {
      throw new IllegalArgumentException(
          "a content hash has " + 2 * BYTES + " hexadecimal digits, this one has " + hex.length());
    }
    try {
      return of(HexFormat.of().parseHex(hex));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a content hash is written in hexadecimal digits (0-9, a-f) only", e);
    }
  }

  /** Returns the hash of these bytes; the buffer's position does not move. */
  public static ContentHash ofContent(ByteBuffer content) {
    MessageDigest digest = newDigest();
    digest.update(content.duplicate());
    return of(digest.digest());
  }

  /** Returns the hash of these bytes. */
  public static ContentHash ofContent(byte[] content) {
    return of(newDigest().digest(content));
  }

  /** Returns a fresh SHA-256 digest, to hash a stream piece by piece. */
  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Writes the 32 bytes at an absolute position; the buffer's own position does not move. */
  public void write(ByteBuffer buffer, int position) {
    boolean big = buffer.order() == ByteOrder.BIG_ENDIAN;
    buffer.putLong(position, big ? first : Long.reverseBytes(first));
    buffer.putLong(position + 8, big ? second : Long.reverseBytes(second));
    buffer.putLong(position + 16, big ? third : Long.reverseBytes(third));
    buffer.putLong(position + 24, big ? fourth : Long.reverseBytes(fourth));
  }

  /** Returns the 32 bytes. */
  public byte[] toBytes() {
    byte[] bytes = new byte[BYTES];
    write(ByteBuffer.wrap(bytes), 0);
    return bytes;
  }

  /** Returns all 64 digits, lower case. Never for logs. */
  public String toHex() {
    return HexFormat.of().formatHex(toBytes());
  }

  /** Returns the first 64 bits, most significant byte first: uniform bits for tables and slots. */
  public long prefix() {
    return first;
  }

  /** Returns the second 64 bits, independent of {@link #prefix()}. */
  public long suffix() {
    return second;
  }

  /**
   * Returns 62 bits that tell this blob from all others of one store: the name that keepers use.
   * The upper 16 bits are the slot, 40 come from the second 64 bits of the hash, and the low 6 are
   * the last of the first 64.
   */
  public long fingerprint() {
    return (first & ~(-1L >>> 16)) | (second >>> 24 << 8) | (first & 0x3f);
  }

  /** Returns the slot of the blob with this fingerprint. */
  public static int slotOf(long fingerprint) {
    return (int) (fingerprint >>> 48);
  }

  /** Returns the slot, 0 to 65,535, that decides which server owns this blob: the first 16 bits. */
  public int slot() {
    return (int) (first >>> 48);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ContentHash that
        && ((first ^ that.first)
                | (second ^ that.second)
                | (third ^ that.third)
                | (fourth ^ that.fourth))
            == 0;
  }

  @Override
  public int compareTo(ContentHash other) {
    int order = Long.compareUnsigned(first, other.first);
    order = order != 0 ? order : Long.compareUnsigned(second, other.second);
    order = order != 0 ? order : Long.compareUnsigned(third, other.third);
    return order != 0 ? order : Long.compareUnsigned(fourth, other.fourth);
  }

  @Override
  public int hashCode() {
    return (int) (first >>> 16);
  }

  /**
   * Returns the first eight digits and an ellipsis: enough to recognise, not enough to read the
   * blob.
   */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits((int) (first >>> 32)) + "…";
  }
}
