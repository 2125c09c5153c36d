package io.quiver.protocol;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The question for the blobs that names are bound to.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+----------------+----
 *   | "QVN1" | flags  |   n    |   0    | name 0, 32 B   | ... n names
 *   +--------+--------+--------+--------+----------------+----
 *   flags: bit 0 = claim what is not bound; all others zero
 * </pre>
 *
 * @param names what is asked for; repeats are legal
 * @param claim true to claim for the asking door what is not bound
 */
public record ResolveFrame(List<BlockName> names, boolean claim) {
  /** Bytes before the first name. */
  public static final int HEADER_BYTES = 16;

  /** Bytes of the longest question. */
  public static final int MAX_BYTES = HEADER_BYTES + Wire.MAX_BATCH * ContentHash.BYTES;

  private static final int MAGIC = Frames.magic('Q', 'V', 'N', '1');
  private static final int FLAGS = 4;
  private static final int COUNT = 8;
  private static final int ZERO = 12;
  private static final int FLAG_CLAIM = 1;

  /** Keeps its own copy of the list. */
  public ResolveFrame {
    names = List.copyOf(names);
    if (names.isEmpty() || names.size() > Wire.MAX_BATCH) {
      throw new IllegalArgumentException(
          "a question is for 1 to " + Wire.MAX_BATCH + " names, not " + names.size());
    }
  }

  /** Reads a whole question from the remaining bytes of a buffer. */
  public static ResolveFrame parse(ByteBuffer buffer) throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    Frames.requireStart(frame, HEADER_BYTES, MAGIC, "question for names");
    int flags = frame.getInt(FLAGS);
    if ((flags & ~FLAG_CLAIM) != 0) {
      throw new FrameException(
          "question for names with unknown flags " + Integer.toHexString(flags));
    }
    Frames.requireZero(frame, ZERO, "question for names");
    int count = Frames.requireCount(frame.getInt(COUNT), "question for names");
    long bytes = HEADER_BYTES + (long) count * ContentHash.BYTES;
    Frames.requireLength(frame, bytes, "question for names");
    List<BlockName> names = new ArrayList<>(count);
    for (int at = HEADER_BYTES; at < bytes; at += ContentHash.BYTES) {
      names.add(new BlockName(ContentHash.read(frame, at)));
    }
    return new ResolveFrame(names, (flags & FLAG_CLAIM) != 0);
  }

  /** Returns the length of this question on the wire. */
  public int bytes() {
    return HEADER_BYTES + names.size() * ContentHash.BYTES;
  }

  /** Appends the question to a buffer. */
  public void write(ByteBuffer target) {
    ByteBuffer frame = target.slice(target.position(), bytes()).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0, MAGIC).putInt(FLAGS, claim ? FLAG_CLAIM : 0);
    frame.putInt(COUNT, names.size()).putInt(ZERO, 0);
    int at = HEADER_BYTES;
    for (BlockName name : names) {
      name.key().write(frame, at);
      at += ContentHash.BYTES;
    }
    target.position(target.position() + bytes());
  }
}
