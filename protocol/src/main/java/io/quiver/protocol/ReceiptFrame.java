package io.quiver.protocol;

import io.quiver.core.keep.PriorityScales;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to a batch insert: one byte for each blob, in order.
 *
 * <pre>
 *   0        4        8        12
 *   +--------+--------+--------+------------+----
 *   | "QVC2" |   n    | lowest | receipt u8 | ... n receipts
 *   +--------+--------+--------+------------+----
 * </pre>
 *
 * @param receipts what became of each blob
 * @param lowest the lowest priority kept by the ranked space of the offer, in the scale of the
 *     asking job; 0 where there is no such space or it takes any blob
 */
public record ReceiptFrame(List<Receipt> receipts, long lowest) {
  /** Bytes before the first receipt. */
  public static final int HEADER_BYTES = 12;

  private static final int MAGIC = Frames.magic('Q', 'V', 'C', '2');
  private static final int COUNT = 4;
  private static final int LOWEST = 8;

  /** Keeps its own copy of the list. */
  public ReceiptFrame {
    receipts = List.copyOf(receipts);
    PriorityScales.requirePriority(lowest);
  }

  /** Reads a whole answer from the remaining bytes of a buffer. */
  public static ReceiptFrame parse(ByteBuffer buffer, int expected) throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    Frames.requireStart(frame, HEADER_BYTES, MAGIC, "receipt");
    if (frame.getInt(COUNT) != expected) {
      throw new FrameException(
          "receipt for "
              + Integer.toUnsignedString(frame.getInt(COUNT))
              + " blobs, "
              + expected
              + " were offered");
    }
    Frames.requireLength(frame, HEADER_BYTES + (long) expected, "receipt");
    List<Receipt> receipts = new ArrayList<>(expected);
    for (int i = 0; i < expected; i++) {
      receipts.add(Receipt.of(frame.get(HEADER_BYTES + i)));
    }
    return new ReceiptFrame(receipts, Integer.toUnsignedLong(frame.getInt(LOWEST)));
  }

  /** Returns the length of this answer on the wire. */
  public int bytes() {
    return HEADER_BYTES + receipts.size();
  }

  /** Appends the answer to a buffer. */
  public void write(ByteBuffer target) {
    ByteBuffer frame = target.slice(target.position(), bytes()).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(MAGIC).putInt(receipts.size()).putInt((int) lowest);
    for (Receipt receipt : receipts) {
      frame.put(receipt.code());
    }
    target.position(target.position() + bytes());
  }
}
