package io.quiver.store.ssd;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first 64 bytes of a segment file; the package description has the diagram.
 *
 * @param nonce a secret number that every record of the segment repeats. A blob whose bytes imitate
 *     a record cannot know it, so that looking for records in a damaged segment finds only true
 *     ones.
 * @param sealed true if nobody was writing when the segment was last closed
 */
record SegmentHeader(long nonce, boolean sealed) {
  static final int BYTES = RecordHeader.BYTES;
  static final int MAGIC = 0x31535651; // "QVS1"
  static final int STATE_OFFSET = 4;
  static final int NONCE_OFFSET = 8;
  static final int CRC_OFFSET = 16;
  static final byte OPEN = 'O';
  static final byte SEALED = 'S';

  ByteBuffer encode() {
    ByteBuffer target = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    target.putInt(0, MAGIC);
    target.put(STATE_OFFSET, sealed ? SEALED : OPEN);
    target.putLong(NONCE_OFFSET, nonce);
    target.putInt(CRC_OFFSET, crc(target));
    return target;
  }

  /**
   * Reads a header from the beginning of a segment. When it is damaged, the first record tells the
   * nonce: its place is fixed, so it is a true one.
   *
   * @param begin little-endian, the first bytes of the file, as many as there are
   * @return null when neither can be read
   */
  static @Nullable SegmentHeader decode(ByteBuffer begin) {
    if (begin.remaining() < BYTES) {
      return null;
    }
    if (begin.getInt(0) == MAGIC && begin.getInt(CRC_OFFSET) == crc(begin)) {
      return new SegmentHeader(begin.getLong(NONCE_OFFSET), begin.get(STATE_OFFSET) == SEALED);
    }
    boolean firstRecord =
        begin.remaining() >= BYTES + RecordHeader.BYTES
            && RecordHeader.readWithAnyNonce(begin, BYTES) != null;
    return firstRecord
        ? new SegmentHeader(begin.getLong(BYTES + RecordHeader.NONCE_OFFSET), false)
        : null;
  }

  private static int crc(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.duplicate().limit(STATE_OFFSET).position(0));
    crc.update(header.duplicate().limit(CRC_OFFSET).position(NONCE_OFFSET));
    return (int) crc.getValue();
  }
}
