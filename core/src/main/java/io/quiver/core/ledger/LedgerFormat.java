package io.quiver.core.ledger;

import io.quiver.core.order.SamplerKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The bytes of a ledger, little-endian; docs/ledger-format.md has the diagram.
 *
 * <pre>
 * header  magic 8 | version u32 | items u32 | seed i64 | rank u32 | ranks u32
 *         | sampler u8 | job bytes u8 | zero u16 | data set 4 | job | CRC-32 u32
 * frame   payload bytes u32 | CRC-32 u32 | epoch, step, items, padding, item… as varints
 * </pre>
 */
final class LedgerFormat {
  static final int VERSION = 1;

  /** The header without the job's name and its checksum. */
  static final int HEADER_BYTES = 40;

  static final int JOB_LENGTH_OFFSET = 33;
  static final int CRC_BYTES = 4;
  static final int FRAME_HEAD_BYTES = 8;

  /** Most items of a batch; with the frame's numbers it bounds what a reader holds at a time. */
  static final int MAX_BATCH = 1 << 20;

  static final int MAX_VARINT_BYTES = 9;
  static final int MAX_PAYLOAD_BYTES = 5 * MAX_BATCH + 4 * MAX_VARINT_BYTES;

  private static final byte[] MAGIC = {(byte) 0x89, 'Q', 'L', 'G', 0x0d, 0x0a, 0x1a, 0x0a};

  private LedgerFormat() {}

  static byte[] encode(LedgerHeader header) {
    byte[] job = header.job().getBytes(StandardCharsets.UTF_8);
    byte[] encoded = new byte[HEADER_BYTES + job.length + CRC_BYTES];
    ByteBuffer bytes = littleEndian(encoded);
    bytes.put(MAGIC).putInt(VERSION).putInt(header.items()).putLong(header.seed());
    bytes.putInt(header.rank()).putInt(header.ranks());
    bytes.put(code(header.sampler())).put((byte) job.length).putShort((short) 0);
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
          sampler(encoded[32]),
          bytes.getInt(24),
          bytes.getInt(28));
    } catch (IllegalArgumentException e) {
      throw new LedgerFormatException(0, "the header makes no sense: " + e.getMessage());
    }
  }

  /** Refuses what is no ledger, or one of a version that this program cannot know. */
  static void requireMagic(byte[] encoded) {
    for (int i = 0; i < MAGIC.length; i++) {
      if (i >= encoded.length || encoded[i] != MAGIC[i]) {
        throw new LedgerFormatException(i, "this is no ledger");
      }
    }
    int version = littleEndian(encoded).getInt(MAGIC.length);
    if (version != VERSION) {
      throw new LedgerFormatException(
          MAGIC.length, "version " + version + "; this program reads version " + VERSION);
    }
  }

  /** A whole frame. */
  static byte[] encode(LedgerBatch batch) {
    byte[] payload = new byte[5 * batch.size() + 4 * MAX_VARINT_BYTES];
    int at = putVarint(payload, 0, batch.epoch());
    at = putVarint(payload, at, batch.step());
    at = putVarint(payload, at, batch.size());
    at = putVarint(payload, at, batch.padding());
    for (int i = 0; i < batch.size(); i++) {
      at = putVarint(payload, at, batch.item(i));
    }
    byte[] frame = new byte[FRAME_HEAD_BYTES + at];
    littleEndian(frame).putInt(at).putInt(frameCrc(at, payload)).put(payload, 0, at);
    return frame;
  }

  /** The checksum of a frame: over its length and its payload. */
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

  private static byte code(SamplerKind sampler) {
    return switch (sampler) {
      case SUBSTITUTE -> 1;
      case PAPER -> 2;
      case STRICT -> 3;
    };
  }

  private static SamplerKind sampler(byte code) {
    return switch (code) {
      case 1 -> SamplerKind.SUBSTITUTE;
      case 2 -> SamplerKind.PAPER;
      case 3 -> SamplerKind.STRICT;
      default -> throw new LedgerFormatException(32, "unknown sampler " + code);
    };
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
