package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.NameBinding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The 64 bytes in front of every blob and name in a segment; the package description has the
 * diagram.
 *
 * @param state one of {@link #LIVE}, {@link #EVICTED}, {@link #DISOWNED}; the only byte that
 *     changes after it was written
 * @param kind {@link #DATA}, {@link #REFERENCE} or {@link #NAME}
 * @param length bytes of the blob; of a reference, bytes of the record it refers to
 * @param crc32c of the bytes that follow, or of those it refers to
 * @param hash the blob's hash, or the key of a name
 */
record RecordHeader(byte state, byte kind, int length, int crc32c, ContentHash hash) {
  /** The length of a header, and the alignment of records. */
  static final int BYTES = 64;

  static final int MAGIC = 0x31525651; // "QVR1"
  static final int STATE_OFFSET = 4;
  static final int KIND_OFFSET = 5;
  static final int LENGTH_OFFSET = 8;
  static final int CONTENT_CRC_OFFSET = 12;
  static final int HEADER_CRC_OFFSET = 16;
  static final int HASH_OFFSET = 24;
  static final int NONCE_OFFSET = 56;

  /** The space of the folder owns the record. */
  static final byte LIVE = 'L';

  /** The record is garbage. */
  static final byte EVICTED = 'E';

  /** The space of the folder has evicted the record, while other spaces still own the blob. */
  static final byte DISOWNED = 'D';

  /** The blob's bytes follow. */
  static final byte DATA = 1;

  /** This space owns a blob or a name whose bytes lie in another space's segment. */
  static final byte REFERENCE = 2;

  /**
   * The target of a name follows: a hash and a length, which the name says nothing about. Only the
   * checksum tells that they are right.
   */
  static final byte NAME = 3;

  /** The bytes of the record of a name: header, hash and length, padding. */
  static final long NAME_RECORD_BYTES = recordBytes(NameBinding.TARGET_BYTES);

  static RecordHeader data(int length, int crc32c, ContentHash hash) {
    return new RecordHeader(LIVE, DATA, length, crc32c, hash);
  }

  static RecordHeader reference(int length, int crc32c, ContentHash hash) {
    return new RecordHeader(LIVE, REFERENCE, length, crc32c, hash);
  }

  static RecordHeader name(int crc32c, ContentHash key) {
    return new RecordHeader(LIVE, NAME, NameBinding.TARGET_BYTES, crc32c, key);
  }

  /** Returns a copy that is live, for a record that moves. */
  RecordHeader alive() {
    return new RecordHeader(LIVE, kind, length, crc32c, hash);
  }

  /** Returns the bytes of a record for a blob of this length: header, bytes, padding. */
  static long recordBytes(long length) {
    return align(BYTES + length);
  }

  /** Returns the next multiple of the alignment. */
  static long align(long bytes) {
    return (bytes + BYTES - 1) & -BYTES;
  }

  /** Returns the bytes of this record: header, bytes, padding. */
  long recordBytes() {
    return hasContent() ? recordBytes(length) : BYTES;
  }

  /** Returns true if bytes follow: those of a blob, or what a name is bound to. */
  boolean hasContent() {
    return kind != REFERENCE;
  }

  boolean isName() {
    return kind == NAME;
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

  /**
   * Reads a header like {@link #read}, for the one place where the segment's nonce is not known
   * yet.
   */
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
    boolean known =
        switch (header.kind) {
          case DATA, REFERENCE -> header.length >= 0;
          case NAME -> header.length == NameBinding.TARGET_BYTES;
          default -> false;
        };
    return known ? header : null;
  }

  /**
   * Returns the checksum of the header without its state, which changes, and without the checksum
   * itself.
   */
  private static int headerCrc(ByteBuffer source, int at) {
    CRC32C crc = new CRC32C();
    crc.update(source.duplicate().limit(at + STATE_OFFSET).position(at));
    crc.update(source.duplicate().limit(at + HEADER_CRC_OFFSET).position(at + KIND_OFFSET));
    crc.update(source.duplicate().limit(at + BYTES).position(at + HEADER_CRC_OFFSET + 4));
    return (int) crc.getValue();
  }
}
