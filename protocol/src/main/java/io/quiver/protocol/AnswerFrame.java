package io.quiver.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of the answer to a get or a lookup: one row for each hash of the question, in its order.
 * After a get, the payloads of the hits follow it without gaps, in the same order.
 *
 * <pre>
 *   0        4        8                 16
 *   +--------+--------+-----------------+--------------------------------------+----
 *   | "QVR1" |   n    | payload bytes   | status u8, 0 u8, 0 u16, crc32c u32,  | ... n rows
 *   |        |        | (all hits) u64  | length u64                           |
 *   +--------+--------+-----------------+--------------------------------------+----
 * </pre>
 *
 * Length and CRC32C are those of the payload, and zero where there is none (also for every row of a
 * lookup). A view of the buffer it was made from.
 */
public final class AnswerFrame {
  /** Bytes before the first row. */
  public static final int HEADER_BYTES = 16;

  /** Bytes of one row. */
  public static final int ROW_BYTES = 16;

  private static final int MAGIC = Frames.magic('Q', 'V', 'R', '1');
  private static final int COUNT = 4;
  private static final int PAYLOAD = 8;
  private static final int ROW_CRC = 4;
  private static final int ROW_LENGTH = 8;

  private final ByteBuffer frame;
  private final int count;

  private AnswerFrame(ByteBuffer frame, int count) {
    this.frame = frame;
    this.count = count;
  }

  /** Returns the length of the head of an answer to n hashes. */
  public static int bytes(int count) {
    return HEADER_BYTES + count * ROW_BYTES;
  }

  /** Returns an empty head in the next {@link #bytes} bytes of a buffer, which are skipped. */
  public static AnswerFrame allocate(ByteBuffer target, int count) {
    ByteBuffer frame = target.slice(target.position(), bytes(count)).order(ByteOrder.LITTLE_ENDIAN);
    target.position(target.position() + bytes(count));
    frame.putInt(0, MAGIC);
    frame.putInt(COUNT, count);
    frame.putLong(PAYLOAD, 0);
    for (int i = 0; i < count; i++) {
      frame.putLong(HEADER_BYTES + i * ROW_BYTES, 0);
      frame.putLong(HEADER_BYTES + i * ROW_BYTES + ROW_LENGTH, 0);
    }
    return new AnswerFrame(frame, count);
  }

  /**
   * Reads the head of an answer from the remaining bytes of a buffer.
   *
   * @param expected how many hashes were asked for
   * @param maxBlobBytes the longest blob the reader is ready to take
   */
  public static AnswerFrame parse(ByteBuffer buffer, int expected, long maxBlobBytes)
      throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    Frames.requireStart(frame, HEADER_BYTES, MAGIC, "answer");
    if (frame.getInt(COUNT) != expected) {
      throw new FrameException(
          "answer to "
              + Integer.toUnsignedString(frame.getInt(COUNT))
              + " hashes, "
              + expected
              + " were asked for");
    }
    Frames.requireLength(frame, bytes(expected), "answer");
    AnswerFrame answer = new AnswerFrame(frame, expected);
    long payload = 0;
    for (int i = 0; i < expected; i++) {
      long length = frame.getLong(HEADER_BYTES + i * ROW_BYTES + ROW_LENGTH);
      boolean hit = AskStatus.of(frame.get(HEADER_BYTES + i * ROW_BYTES)) == AskStatus.HIT;
      if (length < 0 || length > maxBlobBytes || (!hit && length != 0)) {
        throw new FrameException("answer with a payload of " + length + " bytes");
      }
      payload += length;
    }
    if (payload != answer.payloadBytes()) {
      throw new FrameException(
          "answer announces " + answer.payloadBytes() + " bytes but lists " + payload);
    }
    return answer;
  }

  /** Returns the number of rows. */
  public int count() {
    return count;
  }

  /** Returns the bytes of all payloads together. */
  public long payloadBytes() {
    return frame.getLong(PAYLOAD);
  }

  /** Returns the status of the hash at this index. */
  public AskStatus status(int index) {
    try {
      return AskStatus.of(frame.get(HEADER_BYTES + index * ROW_BYTES));
    } catch (FrameException e) {
      throw new IllegalStateException("the frame changed after it was checked", e);
    }
  }

  /** Returns the length of the payload at this place. */
  public int length(int index) {
    return Math.toIntExact(frame.getLong(HEADER_BYTES + index * ROW_BYTES + ROW_LENGTH));
  }

  /** Returns the CRC32C of the payload at this place. */
  public int crc32c(int index) {
    return frame.getInt(HEADER_BYTES + index * ROW_BYTES + ROW_CRC);
  }

  /** Fills a row that has no payload. */
  public void set(int index, AskStatus status) {
    frame.put(HEADER_BYTES + index * ROW_BYTES, status.code());
  }

  /** Fills the row of a hit whose payload follows. */
  public void setHit(int index, int length, int crc32c) {
    set(index, AskStatus.HIT);
    frame.putInt(HEADER_BYTES + index * ROW_BYTES + ROW_CRC, crc32c);
    frame.putLong(HEADER_BYTES + index * ROW_BYTES + ROW_LENGTH, length);
    frame.putLong(PAYLOAD, payloadBytes() + length);
  }
}
