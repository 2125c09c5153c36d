package io.quiver.protocol;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.PriorityScales;
import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The head of a batch insert: which blobs, into which spaces. The payloads follow it without gaps,
 * in the order of the rows.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+------------------------------------+------------+----
 *   | "QVP1" |   n    | spaces | table  | spaces x (length u8, ASCII name),  | row 0,     | ... n rows
 *   |        |        |        | bytes  | zeros up to a multiple of 8        | 48 B       |
 *   +--------+--------+--------+--------+------------------------------------+------------+----
 *   table bytes: the length of the space table with its padding
 *   row: hash 32 B, index of its space u32, priority u32, length u64
 * </pre>
 *
 * @param blobs what is offered, in order
 */
public record OfferFrame(List<Offer> blobs) {
  /** Bytes before the space table. */
  public static final int HEADER_BYTES = SpaceTable.HEADER_BYTES;

  /** Bytes of one row. */
  public static final int ROW_BYTES = 48;

  /** Most spaces one batch may name. */
  public static final int MAX_SPACES = 1024;

  /** Bytes of the longest head. */
  public static final int MAX_HEAD_BYTES =
      HEADER_BYTES + SpaceTable.maxBytes(MAX_SPACES) + Wire.MAX_BATCH * ROW_BYTES;

  private static final int MAGIC = Frames.magic('Q', 'V', 'P', '1');
  private static final int ROW_SPACE = 32;
  private static final int ROW_PRIORITY = 36;
  private static final int ROW_LENGTH = 40;

  /**
   * One offered blob.
   *
   * @param hash its name
   * @param space where it shall belong
   * @param length the length of its payload
   * @param priority its priority in a ranked space, 0 to {@link Wire#MAX_PRIORITY}
   */
  public record Offer(ContentHash hash, SpaceId space, long length, long priority) {
    /** Checks the priority. */
    public Offer {
      PriorityScales.requirePriority(priority);
    }

    /** Makes an offer without a priority. */
    public Offer(ContentHash hash, SpaceId space, long length) {
      this(hash, space, length, 0);
    }
  }

  /** Keeps its own copy of the list. */
  public OfferFrame {
    blobs = List.copyOf(blobs);
    if (blobs.isEmpty() || blobs.size() > Wire.MAX_BATCH) {
      throw new IllegalArgumentException(
          "an offer is of 1 to " + Wire.MAX_BATCH + " blobs, not " + blobs.size());
    }
  }

  /** Returns the length of the whole head, told by its first {@link #HEADER_BYTES} bytes. */
  public static int headBytes(ByteBuffer header) throws FrameException {
    return SpaceTable.frameBytes(Frames.view(header), MAGIC, MAX_SPACES, ROW_BYTES, "offer");
  }

  /**
   * Reads a whole head, without payloads, from the remaining bytes of a buffer.
   *
   * @param bodyBytes the length of the whole body: the rows must add up to it
   */
  public static OfferFrame parse(ByteBuffer head, long bodyBytes) throws FrameException {
    OfferFrame offer = parseRows(head, bodyBytes);
    long rest = bodyBytes - head.remaining() - offer.payloadBytes();
    if (rest != 0) {
      throw new FrameException("offer with " + rest + " bytes that belong to no blob");
    }
    return offer;
  }

  /** Reads a whole head when the length of the body is not known before its end. */
  public static OfferFrame parse(ByteBuffer head) throws FrameException {
    return parseRows(head, Long.MAX_VALUE);
  }

  private static OfferFrame parseRows(ByteBuffer head, long bodyBytes) throws FrameException {
    ByteBuffer frame = Frames.view(head);
    int headBytes = headBytes(frame);
    Frames.requireLength(frame, headBytes, "head of an offer");
    List<SpaceId> spaces = SpaceTable.names(frame, "offer");
    int rows = SpaceTable.rows(frame);
    int count = SpaceTable.count(frame);
    List<Offer> blobs = new ArrayList<>(count);
    long rest = bodyBytes - headBytes;
    for (int i = 0; i < count; i++) {
      int row = rows + i * ROW_BYTES;
      int space = frame.getInt(row + ROW_SPACE);
      long length = frame.getLong(row + ROW_LENGTH);
      if (space < 0 || space >= spaces.size()) {
        throw new FrameException(
            "offer refers to space " + Integer.toUnsignedString(space) + " of " + spaces.size());
      }
      if (length < 0 || length > rest) {
        throw new FrameException(
            "offer of a blob of "
                + Long.toUnsignedString(length)
                + " bytes with "
                + rest
                + " bytes of the body left");
      }
      rest -= length;
      long priority = Integer.toUnsignedLong(frame.getInt(row + ROW_PRIORITY));
      blobs.add(new Offer(ContentHash.read(frame, row), spaces.get(space), length, priority));
    }
    return new OfferFrame(blobs);
  }

  /** Returns the length of the head on the wire. */
  public int headBytes() {
    return headBytes(spaceIndexes());
  }

  private int headBytes(Map<SpaceId, Integer> spaces) {
    return HEADER_BYTES + SpaceTable.bytes(spaces.keySet()) + blobs.size() * ROW_BYTES;
  }

  /** Returns the length of all payloads together. */
  public long payloadBytes() {
    return blobs.stream().mapToLong(Offer::length).sum();
  }

  /** Appends the head to a buffer. */
  public void writeHead(ByteBuffer target) {
    Map<SpaceId, Integer> spaces = spaceIndexes();
    int bytes = headBytes(spaces);
    ByteBuffer frame = target.slice(target.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
    SpaceTable.write(frame, MAGIC, blobs.size(), spaces.keySet());
    int row = frame.position();
    for (Offer blob : blobs) {
      blob.hash().write(frame, row);
      frame.putInt(row + ROW_SPACE, spaces.getOrDefault(blob.space(), 0));
      frame.putInt(row + ROW_PRIORITY, (int) blob.priority());
      frame.putLong(row + ROW_LENGTH, blob.length());
      row += ROW_BYTES;
    }
    target.position(target.position() + bytes);
  }

  private Map<SpaceId, Integer> spaceIndexes() {
    return SpaceTable.indexes(blobs.stream().map(Offer::space));
  }
}
