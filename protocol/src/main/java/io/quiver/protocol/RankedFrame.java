package io.quiver.protocol;

import io.quiver.core.keep.PriorityScales;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The answer to new priorities.
 *
 * <pre>
 *   0        4        8        12
 *   +--------+--------+--------+
 *   | "QVL1" |  kept  | lowest |
 *   +--------+--------+--------+
 * </pre>
 *
 * @param kept how many of the ranked blobs the space keeps
 * @param lowest the lowest priority kept, in the scale of the asking job; 0 while the space takes
 *     any blob
 */
public record RankedFrame(int kept, long lowest) {
  /** Bytes of the frame. */
  public static final int BYTES = 12;

  private static final int MAGIC = Frames.magic('Q', 'V', 'L', '1');
  private static final int KEPT = 4;
  private static final int LOWEST = 8;

  /** Checks the priority. */
  public RankedFrame {
    PriorityScales.requirePriority(lowest);
  }

  /**
   * Reads a whole answer from the remaining bytes of a buffer.
   *
   * @param ranked how many blobs were ranked
   */
  public static RankedFrame parse(ByteBuffer buffer, int ranked) throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    Frames.requireStart(frame, BYTES, MAGIC, "answer to a ranking");
    Frames.requireLength(frame, BYTES, "answer to a ranking");
    int kept = frame.getInt(KEPT);
    if (kept < 0 || kept > ranked) {
      throw new FrameException(
          Integer.toUnsignedString(kept) + " blobs are said to be kept, ranked were " + ranked);
    }
    return new RankedFrame(kept, Integer.toUnsignedLong(frame.getInt(LOWEST)));
  }

  /** Appends the answer to a buffer. */
  public void write(ByteBuffer target) {
    ByteBuffer frame = target.slice(target.position(), BYTES).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(MAGIC).putInt(kept).putInt((int) lowest);
    target.position(target.position() + BYTES);
  }
}
