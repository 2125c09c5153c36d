package io.quiver.protocol;

import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The beginning of a frame whose rows refer to spaces: which spaces, and how many rows.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+------------------------------------+----
 *   | magic  |   n    | spaces | table  | spaces x (length u8, ASCII name),  | ... n rows
 *   |        |        |        | bytes  | zeros up to a multiple of 8        |
 *   +--------+--------+--------+--------+------------------------------------+----
 *   table bytes: the length of the space table with its padding
 * </pre>
 */
final class SpaceTable {
  /** Bytes before the table. */
  static final int HEADER_BYTES = 16;

  private static final int COUNT = 4;
  private static final int SPACES = 8;
  private static final int TABLE_BYTES = 12;

  private SpaceTable() {}

  /** Returns the most bytes of a table of so many spaces. */
  static int maxBytes(int spaces) {
    return spaces * (SpaceId.MAX_LENGTH + 1) + 7;
  }

  /** Checks a header and returns the length of the whole frame without payloads. */
  static int frameBytes(ByteBuffer frame, int magic, int maxSpaces, int rowBytes, String what)
      throws FrameException {
    Frames.requireStart(frame, HEADER_BYTES, magic, what);
    int count = Frames.requireCount(frame.getInt(COUNT), what);
    int spaces = frame.getInt(SPACES);
    int table = frame.getInt(TABLE_BYTES);
    if (spaces < 1 || spaces > maxSpaces) {
      throw new FrameException(
          what
              + " names "
              + Integer.toUnsignedString(spaces)
              + " spaces; 1 to "
              + maxSpaces
              + " are allowed");
    }
    if (table < 2 * spaces || table > maxBytes(spaces) || table % 8 != 0) {
      throw new FrameException(
          what
              + " with a table of "
              + Integer.toUnsignedString(table)
              + " bytes for "
              + spaces
              + " spaces");
    }
    return HEADER_BYTES + table + count * rowBytes;
  }

  /** Returns the number of rows. */
  static int count(ByteBuffer frame) {
    return frame.getInt(COUNT);
  }

  /** Returns where the rows begin. */
  static int rows(ByteBuffer frame) {
    return HEADER_BYTES + frame.getInt(TABLE_BYTES);
  }

  /** Reads the names of a frame whose header was checked. */
  static List<SpaceId> names(ByteBuffer frame, String what) throws FrameException {
    int count = frame.getInt(SPACES);
    int end = rows(frame);
    List<SpaceId> spaces = new ArrayList<>(count);
    int at = HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      int length = at < end ? frame.get(at) & 0xff : 0;
      if (length == 0 || at + 1 + length > end) {
        throw new FrameException(what + " whose space table ends inside name " + i);
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

  /** Numbers spaces in the order in which they first occur. */
  static Map<SpaceId, Integer> indexes(Stream<SpaceId> spaces) {
    Map<SpaceId, Integer> indexes = new LinkedHashMap<>();
    spaces.forEach(space -> indexes.putIfAbsent(space, indexes.size()));
    return indexes;
  }

  /** Returns the length of the table of these spaces. */
  static int bytes(Collection<SpaceId> spaces) {
    int bytes = spaces.stream().mapToInt(space -> 1 + space.name().length()).sum();
    return (bytes + 7) & ~7;
  }

  /** Writes header and table to a frame at its position, and moves it to the first row. */
  static void write(ByteBuffer frame, int magic, int count, Collection<SpaceId> spaces) {
    int table = bytes(spaces);
    frame.putInt(magic).putInt(count).putInt(spaces.size()).putInt(table);
    for (SpaceId space : spaces) {
      byte[] name = space.name().getBytes(StandardCharsets.US_ASCII);
      frame.put((byte) name.length).put(name);
    }
    while (frame.position() < HEADER_BYTES + table) {
      frame.put((byte) 0);
    }
  }
}
