package io.quiver.protocol;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.PriorityScales;
import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * New priorities for blobs of one ranked space. Blobs that the space does not keep are no error.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+------------------------------------+------------+----
 *   | "QVK1" |   n    |   1    | table  | length u8, ASCII name,             | row 0,     | ... n rows
 *   |        |        |        | bytes  | zeros up to a multiple of 8        | 40 B       |
 *   +--------+--------+--------+--------+------------------------------------+------------+----
 *   row: hash 32 B, priority u32, 0 u32
 * </pre>
 *
 * @param space the ranked space
 * @param rows the blobs in order; repeats are legal, the last one counts
 */
public record RankFrame(SpaceId space, List<Row> rows) {
  /** Bytes of one row. */
  public static final int ROW_BYTES = 40;

  /** Bytes of the longest frame. */
  public static final int MAX_BYTES =
      SpaceTable.HEADER_BYTES + SpaceTable.maxBytes(1) + Wire.MAX_BATCH * ROW_BYTES;

  private static final int MAGIC = Frames.magic('Q', 'V', 'K', '1');
  private static final int ROW_PRIORITY = 32;
  private static final int ROW_ZERO = 36;

  /**
   * A blob and its new priority.
   *
   * @param hash the blob
   * @param priority 0 to {@link Wire#MAX_PRIORITY}; 0 takes the job's priority back
   */
  public record Row(ContentHash hash, long priority) {
    /** Checks the priority. */
    public Row {
      PriorityScales.requirePriority(priority);
    }
  }

  /** Keeps its own copy of the list. */
  public RankFrame {
    rows = List.copyOf(rows);
    if (rows.isEmpty() || rows.size() > Wire.MAX_BATCH) {
      throw new IllegalArgumentException(
          "1 to " + Wire.MAX_BATCH + " blobs are ranked at a time, not " + rows.size());
    }
  }

  /** Reads a whole frame from the remaining bytes of a buffer. */
  public static RankFrame parse(ByteBuffer buffer) throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    int bytes = SpaceTable.frameBytes(frame, MAGIC, 1, ROW_BYTES, "ranking");
    Frames.requireLength(frame, bytes, "ranking");
    SpaceId space = SpaceTable.names(frame, "ranking").getFirst();
    int count = SpaceTable.count(frame);
    List<Row> rows = new ArrayList<>(count);
    for (int at = SpaceTable.rows(frame); at < bytes; at += ROW_BYTES) {
      if (frame.getInt(at + ROW_ZERO) != 0) {
        throw new FrameException("ranking whose row " + rows.size() + " does not end with zeros");
      }
      long priority = Integer.toUnsignedLong(frame.getInt(at + ROW_PRIORITY));
      rows.add(new Row(ContentHash.read(frame, at), priority));
    }
    return new RankFrame(space, rows);
  }

  /** Returns the length of this frame on the wire. */
  public int bytes() {
    return SpaceTable.HEADER_BYTES + SpaceTable.bytes(List.of(space)) + rows.size() * ROW_BYTES;
  }

  /** Appends the frame to a buffer. */
  public void write(ByteBuffer target) {
    int bytes = bytes();
    ByteBuffer frame = target.slice(target.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
    SpaceTable.write(frame, MAGIC, rows.size(), List.of(space));
    int at = frame.position();
    for (Row row : rows) {
      row.hash().write(frame, at);
      frame.putInt(at + ROW_PRIORITY, (int) row.priority());
      frame.putInt(at + ROW_ZERO, 0);
      at += ROW_BYTES;
    }
    target.position(target.position() + bytes);
  }
}
