package io.quiver.protocol;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a question for names: one row for each name, in its order.
 *
 * <pre>
 *   0        4        8        16
 *   +--------+--------+--------+--------------------------------------------+----
 *   | "QVM1" |   n    |   0    | status u8, 0 (7), hash 32 B, length u64    | ... n rows
 *   +--------+--------+--------+--------------------------------------------+----
 *   status: HIT, MISS, YOURS or PENDING; hash and length are zero but for a HIT
 * </pre>
 *
 * @param rows one for each name
 */
public record ResolvedFrame(List<Row> rows) {
  /** Bytes before the first row. */
  public static final int HEADER_BYTES = 16;

  /** Bytes of one row. */
  public static final int ROW_BYTES = 48;

  private static final int MAGIC = Frames.magic('Q', 'V', 'M', '1');
  private static final int COUNT = 4;
  private static final int ZERO = 8;
  private static final int ROW_TARGET = 8;
  private static final ContentHash NO_HASH = ContentHash.of(new byte[ContentHash.BYTES]);

  /**
   * The answer for one name.
   *
   * @param status HIT if the name is bound
   * @param binding empty unless it is
   */
  public record Row(AskStatus status, Optional<NameBinding> binding) {
    /** Checks that a row is bound or not. */
    public Row {
      boolean known =
          switch (status) {
            case HIT, MISS, YOURS, PENDING -> true;
            case SKIPPED, DEFERRED -> false;
          };
      if (!known || binding.isPresent() != (status == AskStatus.HIT)) {
        throw new IllegalArgumentException("a name is " + status + " with " + binding);
      }
    }

    /** Makes the row of a name that is bound. */
    public static Row bound(NameBinding binding) {
      return new Row(AskStatus.HIT, Optional.of(binding));
    }

    /** Makes the row of a name that is not bound. */
    public static Row unbound(AskStatus status) {
      return new Row(status, Optional.empty());
    }
  }

  /** Keeps its own copy of the list. */
  public ResolvedFrame {
    rows = List.copyOf(rows);
  }

  /** Returns the length of an answer for so many names. */
  public static int bytes(int names) {
    return HEADER_BYTES + names * ROW_BYTES;
  }

  /**
   * Reads a whole answer from the remaining bytes of a buffer.
   *
   * @param names what was asked for
   */
  public static ResolvedFrame parse(ByteBuffer buffer, List<BlockName> names)
      throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    Frames.requireStart(frame, HEADER_BYTES, MAGIC, "answer for names");
    if (frame.getInt(COUNT) != names.size()) {
      throw new FrameException(
          "answer for "
              + Integer.toUnsignedString(frame.getInt(COUNT))
              + " names, "
              + names.size()
              + " were asked for");
    }
    Frames.requireZero(frame, ZERO, "answer for names");
    Frames.requireZero(frame, ZERO + Integer.BYTES, "answer for names");
    Frames.requireLength(frame, bytes(names.size()), "answer for names");
    List<Row> rows = new ArrayList<>(names.size());
    int at = HEADER_BYTES;
    for (BlockName name : names) {
      rows.add(row(frame, at, name));
      at += ROW_BYTES;
    }
    return new ResolvedFrame(rows);
  }

  private static Row row(ByteBuffer frame, int at, BlockName name) throws FrameException {
    AskStatus status = AskStatus.of(frame.get(at));
    long zeros = frame.getLong(at) >>> Byte.SIZE;
    long length = frame.getLong(at + ROW_TARGET + ContentHash.BYTES);
    if (zeros != 0 || length < 0) {
      throw new FrameException(
          "answer for names with a block of " + Long.toUnsignedString(length) + " bytes");
    }
    return switch (status) {
      case HIT -> Row.bound(NameBinding.read(name, frame, at + ROW_TARGET));
      case MISS, YOURS, PENDING -> {
        if (length != 0 || !ContentHash.read(frame, at + ROW_TARGET).equals(NO_HASH)) {
          throw new FrameException("answer for names with a block that is " + status);
        }
        yield Row.unbound(status);
      }
      case SKIPPED, DEFERRED ->
          throw new FrameException("answer for names with one that is " + status);
    };
  }

  /** Returns the length of this answer on the wire. */
  public int bytes() {
    return bytes(rows.size());
  }

  /** Appends the answer to a buffer. */
  public void write(ByteBuffer target) {
    ByteBuffer frame = target.slice(target.position(), bytes()).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0, MAGIC).putInt(COUNT, rows.size()).putLong(ZERO, 0);
    int at = HEADER_BYTES;
    for (Row row : rows) {
      frame.putLong(at, row.status().code());
      if (row.binding().isPresent()) {
        row.binding().get().write(frame, at + ROW_TARGET);
      } else {
        NO_HASH.write(frame, at + ROW_TARGET);
        frame.putLong(at + ROW_TARGET + ContentHash.BYTES, 0);
      }
      at += ROW_BYTES;
    }
    target.position(target.position() + bytes());
  }
}
