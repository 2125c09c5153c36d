package io.quiver.core.ledger;

import io.quiver.core.order.ItemList;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * Encodes and decodes the bytes of a ledger, little-endian; docs/ledger-format.md has the diagram.
 *
 * <pre>
 * header   magic 8 | version u32 | items u32 | seed i64 | rank u32 | ranks u32
 *          | order u8 | job bytes u8 | zero u16 | data set 4 | job | CRC-32 u32
 * frame    payload bytes u32 | CRC-32 u32 | payload, which begins with its kind as a varint
 * batch    0 | epoch, step, items, padding, item… as varints
 * list     1 | epoch, entries as varints | SHA-256
 * entries  2 | first place, items, item… as varints
 * </pre>
 *
 * <p>A payload of version 1 is a batch without its kind.
 */
final class LedgerFormat {
  static final int VERSION = 2;

  /** The version before there were lists; it is still read. */
  static final int EPOCHS_ONLY = 1;

  static final int BATCH = 0;
  static final int LIST = 1;
  static final int ENTRIES = 2;
  static final int SHA256_BYTES = 32;

  /** The header without the job's name and its checksum. */
  static final int HEADER_BYTES = 40;

  static final int JOB_LENGTH_OFFSET = 33;
  static final int CRC_BYTES = 4;
  static final int FRAME_HEAD_BYTES = 8;

  /** Most items of a batch; with the frame's numbers it bounds the memory of a reader. */
  static final int MAX_BATCH = 1 << 20;

  static final int MAX_VARINT_BYTES = 9;
  static final int MAX_PAYLOAD_BYTES = 5 * MAX_BATCH + 5 * MAX_VARINT_BYTES;

  private static final byte[] MAGIC = {(byte) 0x89, 'Q', 'L', 'G', 0x0d, 0x0a, 0x1a, 0x0a};

  private LedgerFormat() {}

  static byte[] encode(LedgerHeader header) {
    byte[] job = header.job().getBytes(StandardCharsets.UTF_8);
    byte[] encoded = new byte[HEADER_BYTES + job.length + CRC_BYTES];
    ByteBuffer bytes = littleEndian(encoded);
    bytes.put(MAGIC).putInt(VERSION).putInt(header.items()).putLong(header.seed());
    bytes.putInt(header.rank()).putInt(header.ranks());
    bytes.put((byte) header.order().code()).put((byte) job.length).putShort((short) 0);
    bytes.putInt(Integer.reverseBytes(Integer.parseUnsignedInt(header.dataset(), 16)));
    bytes.put(job);
    bytes.putInt(crc(encoded, 0, bytes.position()));
    return encoded;
  }

  static LedgerHeader decodeHeader(byte[] encoded) {
    requireMagic(encoded);
    ByteBuffer bytes = littleEndian(encoded);
    int end = encoded.length - CRC_BYTES;
    if (bytes.getInt(end) != crc(encoded, 0, end)) {
      throw new LedgerFormatException(0, "the header's checksum is wrong: the file is damaged");
    }
    int reserved = bytes.getShort(34);
    if (reserved != 0) {
      throw new LedgerFormatException(34, "reserved bytes are " + reserved + " instead of 0");
    }
    String dataset = String.format("%08x", Integer.reverseBytes(bytes.getInt(36)));
    String job = new String(encoded, HEADER_BYTES, end - HEADER_BYTES, StandardCharsets.UTF_8);
    try {
      return new LedgerHeader(
          job,
          dataset,
          bytes.getInt(12),
          bytes.getLong(16),
          order(encoded),
          bytes.getInt(24),
          bytes.getInt(28));
    } catch (IllegalArgumentException e) {
      throw new LedgerFormatException(0, "the header makes no sense: " + e.getMessage());
    }
  }

  /** Throws if the bytes are no ledger, or one of a version that this program cannot know. */
  static void requireMagic(byte[] encoded) {
    for (int i = 0; i < MAGIC.length; i++) {
      if (i >= encoded.length || encoded[i] != MAGIC[i]) {
        throw new LedgerFormatException(i, "this is no ledger");
      }
    }
    int version = version(encoded);
    if (version != VERSION && version != EPOCHS_ONLY) {
      throw new LedgerFormatException(
          MAGIC.length, "version " + version + "; this program reads versions 1 and " + VERSION);
    }
  }

  static int version(byte[] encoded) {
    return littleEndian(encoded).getInt(MAGIC.length);
  }

  /** Returns the frame of a batch. */
  static byte[] encode(LedgerBatch batch) {
    byte[] payload = new byte[5 * batch.size() + 5 * MAX_VARINT_BYTES];
    int at = putVarint(payload, 0, BATCH);
    at = putVarint(payload, at, batch.epoch());
    at = putVarint(payload, at, batch.step());
    at = putVarint(payload, at, batch.size());
    at = putVarint(payload, at, batch.padding());
    for (int i = 0; i < batch.size(); i++) {
      at = putVarint(payload, at, batch.item(i));
    }
    return frame(payload, at);
  }

  /** Returns the frame that names a list. */
  static byte[] encode(LedgerList list) {
    byte[] payload = new byte[3 * MAX_VARINT_BYTES + SHA256_BYTES];
    int at = putVarint(payload, 0, LIST);
    at = putVarint(payload, at, list.epoch());
    at = putVarint(payload, at, list.size());
    System.arraycopy(HexFormat.of().parseHex(list.sha256()), 0, payload, at, SHA256_BYTES);
    return frame(payload, at + SHA256_BYTES);
  }

  /** Returns the frame of some entries of a list. */
  static byte[] encodeEntries(ItemList list, int first, int count) {
    byte[] payload = new byte[5 * count + 3 * MAX_VARINT_BYTES];
    int at = putVarint(payload, 0, ENTRIES);
    at = putVarint(payload, at, first);
    at = putVarint(payload, at, count);
    for (int place = first; place < first + count; place++) {
      at = putVarint(payload, at, list.at(place));
    }
    return frame(payload, at);
  }

  private static byte[] frame(byte[] payload, int length) {
    byte[] frame = new byte[FRAME_HEAD_BYTES + length];
    littleEndian(frame).putInt(length).putInt(frameCrc(length, payload)).put(payload, 0, length);
    return frame;
  }

  /** Returns the checksum of a frame: over its length and its payload. */
  static int frameCrc(int length, byte[] payload) {
    CRC32 crc = new CRC32();
    crc.update(littleEndian(new byte[Integer.BYTES]).putInt(length).flip());
    crc.update(payload, 0, length);
    return (int) crc.getValue();
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32 crc = new CRC32();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  private static int putVarint(byte[] target, int from, long value) {
    int at = from;
    long rest = value;
    while (rest >= 0x80) {
      target[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[at++] = (byte) rest;
    return at;
  }

  private static LedgerOrder order(byte[] encoded) {
    LedgerOrder order = LedgerOrder.ofCode(encoded[32]);
    if (order == LedgerOrder.LIST && version(encoded) == EPOCHS_ONLY) {
      throw new LedgerFormatException(32, "a list in a ledger of version 1");
    }
    return order;
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
