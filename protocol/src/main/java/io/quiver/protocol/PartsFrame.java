package io.quiver.protocol;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The question of a get for parts of blobs: all of them, in order.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+----------------------------------------+----
 *   | "QVA2" |   0    |   n    |   0    | hash 32 B, offset u64, length u32, 0   | ... n rows
 *   +--------+--------+--------+--------+----------------------------------------+----
 * </pre>
 *
 * @param parts what is asked for; repeats are legal
 */
public record PartsFrame(List<Part> parts) implements GetFrame {
  /** Bytes before the first row. */
  public static final int HEADER_BYTES = 16;

  /** Bytes of one row. */
  public static final int ROW_BYTES = 48;

  /** Bytes of the longest question. */
  public static final int MAX_BYTES = HEADER_BYTES + Wire.MAX_BATCH * ROW_BYTES;

  private static final int MAGIC = Frames.magic('Q', 'V', 'A', '2');
  private static final int FLAGS = 4;
  private static final int COUNT = 8;
  private static final int ZERO = 12;
  private static final int ROW_OFFSET = 32;
  private static final int ROW_LENGTH = 40;
  private static final int ROW_ZERO = 44;

  /**
   * A range of bytes of a blob.
   *
   * @param hash the blob
   * @param offset where the range begins
   * @param length its length, at least 1
   */
  public record Part(ContentHash hash, long offset, int length) {
    /** Checks the range. */
    public Part {
      if (offset < 0 || length < 1) {
        throw new IllegalArgumentException("a part of " + length + " bytes at " + offset);
      }
    }
  }

  /** Keeps its own copy of the list. */
  public PartsFrame {
    parts = List.copyOf(parts);
    if (parts.isEmpty() || parts.size() > Wire.MAX_BATCH) {
      throw new IllegalArgumentException(
          "a question is for 1 to " + Wire.MAX_BATCH + " parts, not " + parts.size());
    }
  }

  /** Returns true if the remaining bytes of a buffer begin as such a question does. */
  static boolean begins(ByteBuffer buffer) {
    ByteBuffer frame = Frames.view(buffer);
    return frame.capacity() >= Integer.BYTES && frame.getInt(0) == MAGIC;
  }

  /** Reads a whole question from the remaining bytes of a buffer. */
  public static PartsFrame parse(ByteBuffer buffer) throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    Frames.requireStart(frame, HEADER_BYTES, MAGIC, "question for parts");
    Frames.requireZero(frame, FLAGS, "question for parts");
    Frames.requireZero(frame, ZERO, "question for parts");
    int count = Frames.requireCount(frame.getInt(COUNT), "question for parts");
    Frames.requireLength(frame, HEADER_BYTES + (long) count * ROW_BYTES, "question for parts");
    List<Part> parts = new ArrayList<>(count);
    for (int at = HEADER_BYTES; at < frame.capacity(); at += ROW_BYTES) {
      long offset = frame.getLong(at + ROW_OFFSET);
      int length = frame.getInt(at + ROW_LENGTH);
      if (offset < 0 || length < 1) {
        throw new FrameException(
            "question for a part of "
                + Integer.toUnsignedString(length)
                + " bytes at "
                + Long.toUnsignedString(offset));
      }
      Frames.requireZero(frame, at + ROW_ZERO, "question for parts");
      parts.add(new Part(ContentHash.read(frame, at), offset, length));
    }
    return new PartsFrame(parts);
  }

  @Override
  public int rows() {
    return parts.size();
  }

  @Override
  public int bytes() {
    return HEADER_BYTES + parts.size() * ROW_BYTES;
  }

  @Override
  public void write(ByteBuffer target) {
    ByteBuffer frame = target.slice(target.position(), bytes()).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0, MAGIC).putInt(FLAGS, 0).putInt(COUNT, parts.size()).putInt(ZERO, 0);
    int at = HEADER_BYTES;
    for (Part part : parts) {
      part.hash().write(frame, at);
      frame.putLong(at + ROW_OFFSET, part.offset());
      frame.putInt(at + ROW_LENGTH, part.length());
      frame.putInt(at + ROW_ZERO, 0);
      at += ROW_BYTES;
    }
    target.position(target.position() + bytes());
  }
}
