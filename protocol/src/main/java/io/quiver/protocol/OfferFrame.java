package io.quiver.protocol;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 *   row: hash 32 B, index of its space u32, 0 u32, length u64
 * </pre>
 *
 * @param blobs what is offered, in order
 */
public record OfferFrame(List<Offer> blobs) {
  /** Bytes before the space table. */
  public static final int HEADER_BYTES = 16;

  /** Bytes of one row. */
  public static final int ROW_BYTES = 48;

  /** Most spaces one batch may name. */
  public static final int MAX_SPACES = 1024;

  /** Bytes of the longest head. */
  public static final int MAX_HEAD_BYTES =
      HEADER_BYTES + MAX_SPACES * (SpaceId.MAX_LENGTH + 1) + 8 + Wire.MAX_BATCH * ROW_BYTES;

  private static final int MAGIC = Frames.magic('Q', 'V', 'P', '1');
  private static final int COUNT = 4;
  private static final int SPACES = 8;
  private static final int TABLE_BYTES = 12;
  private static final int ROW_SPACE = 32;
  private static final int ROW_LENGTH = 40;

  /**
   * One offered blob.
   *
   * @param hash its name
   * @param space where it shall belong
   * @param length the length of its payload
   */
  public record Offer(ContentHash hash, SpaceId space, long length) {}

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
    ByteBuffer frame = Frames.view(header);
    Frames.requireStart(frame, HEADER_BYTES, MAGIC, "offer");
    int count = Frames.requireCount(frame.getInt(COUNT), "offer");
    int spaces = frame.getInt(SPACES);
    int table = frame.getInt(TABLE_BYTES);
    if (spaces < 1 || spaces > MAX_SPACES) {
      throw new FrameException(
          "offer names "
              + Integer.toUnsignedString(spaces)
              + " spaces; 1 to "
              + MAX_SPACES
              + " are allowed");
    }
    if (table < 2 * spaces || table > spaces * (SpaceId.MAX_LENGTH + 1) + 7 || table % 8 != 0) {
      throw new FrameException(
          "offer with a table of "
              + Integer.toUnsignedString(table)
              + " bytes for "
              + spaces
              + " spaces");
    }
    return HEADER_BYTES + table + count * ROW_BYTES;
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
    List<SpaceId> spaces = parseSpaces(frame);
    int rows = HEADER_BYTES + frame.getInt(TABLE_BYTES);
    int count = frame.getInt(COUNT);
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
      blobs.add(new Offer(ContentHash.read(frame, row), spaces.get(space), length));
    }
    return new OfferFrame(blobs);
  }

  private static List<SpaceId> parseSpaces(ByteBuffer frame) throws FrameException {
    int count = frame.getInt(SPACES);
    int end = HEADER_BYTES + frame.getInt(TABLE_BYTES);
    List<SpaceId> spaces = new ArrayList<>(count);
    int at = HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      int length = at < end ? frame.get(at) & 0xff : 0;
      if (length == 0 || at + 1 + length > end) {
        throw new FrameException("offer whose space table ends inside name " + i);
      }
      byte[] name = new byte[length];
      frame.get(at + 1, name);
      try {
        spaces.add(new SpaceId(new String(name, StandardCharsets.US_ASCII)));
      } catch (IllegalArgumentException e) {
        throw new FrameException(String.valueOf(e.getMessage()));
      }
      at += 1 + length;
    }
    return spaces;
  }

  /** Returns the length of the head on the wire. */
  public int headBytes() {
    return HEADER_BYTES + tableBytes(spaceIndexes()) + blobs.size() * ROW_BYTES;
  }

  /** Returns the length of all payloads together. */
  public long payloadBytes() {
    return blobs.stream().mapToLong(Offer::length).sum();
  }

  /** Appends the head to a buffer. */
  public void writeHead(ByteBuffer target) {
    Map<SpaceId, Integer> spaces = spaceIndexes();
    int table = tableBytes(spaces);
    int bytes = HEADER_BYTES + table + blobs.size() * ROW_BYTES;
    ByteBuffer frame = target.slice(target.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(MAGIC).putInt(blobs.size()).putInt(spaces.size()).putInt(table);
    for (SpaceId space : spaces.keySet()) {
      byte[] name = space.name().getBytes(StandardCharsets.US_ASCII);
      frame.put((byte) name.length).put(name);
    }
    while (frame.position() < HEADER_BYTES + table) {
      frame.put((byte) 0);
    }
    int row = HEADER_BYTES + table;
    for (Offer blob : blobs) {
      blob.hash().write(frame, row);
      frame.putInt(row + ROW_SPACE, spaces.getOrDefault(blob.space(), 0));
      frame.putInt(row + ROW_SPACE + 4, 0);
      frame.putLong(row + ROW_LENGTH, blob.length());
      row += ROW_BYTES;
    }
    target.position(target.position() + bytes);
  }

  private Map<SpaceId, Integer> spaceIndexes() {
    Map<SpaceId, Integer> indexes = new LinkedHashMap<>();
    for (Offer blob : blobs) {
      indexes.putIfAbsent(blob.space(), indexes.size());
    }
    return indexes;
  }

  private static int tableBytes(Map<SpaceId, Integer> spaces) {
    int bytes = spaces.keySet().stream().mapToInt(space -> 1 + space.name().length()).sum();
    return (bytes + 7) & ~7;
  }
}
