package io.quiver.core.name;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The blob that a name stands for.
 *
 * @param name the block
 * @param hash the hash of the block's bytes
 * @param length the block's length in bytes
 */
public record NameBinding(BlockName name, ContentHash hash, long length) {
  /** Bytes of what a name is bound to: the hash, then the length as a little-endian u64. */
  public static final int TARGET_BYTES = ContentHash.BYTES + Long.BYTES;

  /** Checks the length. */
  public NameBinding {
    if (length < 0) {
      throw new IllegalArgumentException("a block of " + length + " bytes");
    }
  }

  /**
   * Reads what a name is bound to from the bytes at an absolute position; the buffer's own position
   * does not move.
   *
   * @throws IllegalArgumentException if no block has such a length
   */
  public static NameBinding read(BlockName name, ByteBuffer source, int at) {
    ByteBuffer target = source.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    return new NameBinding(
        name, ContentHash.read(target, at), target.getLong(at + ContentHash.BYTES));
  }

  /** Writes what the name is bound to at an absolute position of a buffer. */
  public void write(ByteBuffer target, int at) {
    ByteBuffer view = target.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    hash.write(view, at);
    view.putLong(at + ContentHash.BYTES, length);
  }
}
