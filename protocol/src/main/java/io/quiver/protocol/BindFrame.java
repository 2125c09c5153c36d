package io.quiver.protocol;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Bindings of names to blobs, in one space. The server that owns a name need not have its blob.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+------------------------------------+------------+----
 *   | "QVB1" |   n    |   1    | table  | length u8, ASCII name,             | row 0,     | ... n rows
 *   |        |        |        | bytes  | zeros up to a multiple of 8        | 72 B       |
 *   +--------+--------+--------+--------+------------------------------------+------------+----
 *   row: name 32 B, hash 32 B, length u64
 * </pre>
 *
 * @param space where the bindings shall belong
 * @param bindings in order; repeats are legal, the last one counts
 */
public record BindFrame(SpaceId space, List<NameBinding> bindings) {
  /** Bytes of one row. */
  public static final int ROW_BYTES = ContentHash.BYTES + NameBinding.TARGET_BYTES;

  /** Bytes of the longest frame. */
  public static final int MAX_BYTES =
      SpaceTable.HEADER_BYTES + SpaceTable.maxBytes(1) + Wire.MAX_BATCH * ROW_BYTES;

  private static final int MAGIC = Frames.magic('Q', 'V', 'B', '1');
  private static final int ROW_LENGTH = 2 * ContentHash.BYTES;

  /** Keeps its own copy of the list. */
  public BindFrame {
    bindings = List.copyOf(bindings);
    if (bindings.isEmpty() || bindings.size() > Wire.MAX_BATCH) {
      throw new IllegalArgumentException(
          "1 to " + Wire.MAX_BATCH + " names are bound at a time, not " + bindings.size());
    }
  }

  /** Reads a whole frame from the remaining bytes of a buffer. */
  public static BindFrame parse(ByteBuffer buffer) throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    int bytes = SpaceTable.frameBytes(frame, MAGIC, 1, ROW_BYTES, "binding");
    Frames.requireLength(frame, bytes, "binding");
    SpaceId space = SpaceTable.names(frame, "binding").getFirst();
    List<NameBinding> bindings = new ArrayList<>(SpaceTable.count(frame));
    for (int at = SpaceTable.rows(frame); at < bytes; at += ROW_BYTES) {
      long length = frame.getLong(at + ROW_LENGTH);
      if (length < 0) {
        throw new FrameException(
            "binding to a block of " + Long.toUnsignedString(length) + " bytes");
      }
      BlockName name = new BlockName(ContentHash.read(frame, at));
      bindings.add(NameBinding.read(name, frame, at + ContentHash.BYTES));
    }
    return new BindFrame(space, bindings);
  }

  /** Returns the length of this frame on the wire. */
  public int bytes() {
    return SpaceTable.HEADER_BYTES + SpaceTable.bytes(List.of(space)) + bindings.size() * ROW_BYTES;
  }

  /** Appends the frame to a buffer. */
  public void write(ByteBuffer target) {
    int bytes = bytes();
    ByteBuffer frame = target.slice(target.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
    SpaceTable.write(frame, MAGIC, bindings.size(), List.of(space));
    int at = frame.position();
    for (NameBinding binding : bindings) {
      binding.name().key().write(frame, at);
      binding.write(frame, at + ContentHash.BYTES);
      at += ROW_BYTES;
    }
    target.position(target.position() + bytes);
  }
}
