package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The 64 bytes in front of every blob in a segment; the package description has the diagram.
 *
 * @param state one of {@link #LIVE}, {@link #EVICTED}, {@link #DISOWNED}; the only byte that
 *     changes after it was written
 * @param kind {@link #DATA} or {@link #REFERENCE}
 * @param length bytes of the blob; of a reference, bytes of the blob it refers to
 * @param crc32c of the blob's bytes
 * @param hash the blob's name
 */
record RecordHeader(byte state, byte kind, int length, int crc32c, ContentHash hash) {
  /** Length of a header, and what records are aligned to. */
  static final int BYTES = 64;

  static final int MAGIC = 0x31525651; // "QVR1"
  static final int STATE_OFFSET = 4;
  static final int KIND_OFFSET = 5;
  static final int LENGTH_OFFSET = 8;
  static final int CONTENT_CRC_OFFSET = 12;
  static final int HEADER_CRC_OFFSET = 16;
  static final int HASH_OFFSET = 24;
  static final int NONCE_OFFSET = 56;

  /** Owned by the space whose folder it lies in. */
  static final byte LIVE = 'L';

  /** Room to be reclaimed. */
  static final byte EVICTED = 'E';

  /** Evicted from the space whose folder it lies in, while other spaces still own the blob. */
  static final byte DISOWNED = 'D';

  /** Followed by the blob's bytes. */
  static final byte DATA = 1;

  /** Says that this space owns a blob whose bytes lie in another space's segment. */
  static final byte REFERENCE = 2;

  static RecordHeader data(int length, int crc32c, ContentHash hash) {
    return new RecordHeader(LIVE, DATA, length, crc32c, hash);
  }

  static RecordHeader reference(int length, int crc32c, ContentHash hash) {
    return new RecordHeader(LIVE, REFERENCE, length, crc32c, hash);
  }

  /** Room a blob of this length takes: header, bytes, padding. */
  static long recordBytes(long length) {
    return align(BYTES + length);
  }

  /** The next multiple of the alignment. */
  static long align(long bytes) {
    return (bytes + BYTES - 1) & -BYTES;
  }

  /** Room this record takes. */
  long recordBytes() {
    return kind == DATA ? recordBytes(length) : BYTES;
  }

  boolean isData() {
    return kind == DATA;
  }

  /** Writes the header at the buffer's absolute position 0. */
  void write(ByteBuffer target, long nonce) {
    target.order(ByteOrder.LITTLE_ENDIAN);
    target.putInt(0, MAGIC);
    target.put(STATE_OFFSET, (byte) 0);
    target.put(KIND_OFFSET, kind);
    target.putShort(KIND_OFFSET + 1, (short) 0);
    target.putInt(LENGTH_OFFSET, length);
    target.putInt(CONTENT_CRC_OFFSET, crc32c);
    target.putInt(HEADER_CRC_OFFSET, 0);
    target.putInt(HEADER_CRC_OFFSET + 4, 0);
    hash.write(target, HASH_OFFSET);
    target.putLong(NONCE_OFFSET, nonce);
    target.putInt(HEADER_CRC_OFFSET, headerCrc(target, 0));
    target.put(STATE_OFFSET, state);
  }

  /**
   * Reads the header at an absolute position of a little-endian buffer with at least 64 bytes
   * there.
   *
   * @return the header, or null when these bytes are not a whole header of this segment
   */
  static @Nullable RecordHeader read(ByteBuffer source, int at, long nonce) {
    if (source.getInt(at) != MAGIC || source.getLong(at + NONCE_OFFSET) != nonce) {
      return null;
    }
    return readWithAnyNonce(source, at);
  }

  /** As {@link #read}, for the one place where the segment's nonce is not known yet. */
  static @Nullable RecordHeader readWithAnyNonce(ByteBuffer source, int at) {
    if (source.getInt(at) != MAGIC
        || source.getInt(at + HEADER_CRC_OFFSET) != headerCrc(source, at)) {
      return null;
    }
    RecordHeader header =
        new RecordHeader(
            source.get(at + STATE_OFFSET),
            source.get(at + KIND_OFFSET),
            source.getInt(at + LENGTH_OFFSET),
            source.getInt(at + CONTENT_CRC_OFFSET),
            ContentHash.read(source, at + HASH_OFFSET));
    boolean known = header.kind == DATA || header.kind == REFERENCE;
    return known && header.length >= 0 ? header : null;
  }

  /** Over the whole header but the state, which changes, and this very checksum. */
  private static int headerCrc(ByteBuffer source, int at) {
    CRC32C crc = new CRC32C();
    crc.update(source.duplicate().limit(at + STATE_OFFSET).position(at));
    crc.update(source.duplicate().limit(at + HEADER_CRC_OFFSET).position(at + KIND_OFFSET));
    crc.update(source.duplicate().limit(at + BYTES).position(at + HEADER_CRC_OFFSET + 4));
    return (int) crc.getValue();
  }
}
