package io.quiver.core.dataset;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A table of strings as it stands in a digest: the two sections it takes. */
public final class EncodedStrings {
  private final byte[] starts;
  private final byte[] bytes;

  private EncodedStrings(byte[] starts, byte[] bytes) {
    this.starts = starts;
    this.bytes = bytes;
  }

  /** Encodes strings in this order. */
  public static EncodedStrings of(List<String> strings) {
    byte[] starts = new byte[Math.multiplyExact(strings.size() + 1, Long.BYTES)];
    ByteBuffer positions = ByteBuffer.wrap(starts).order(ByteOrder.LITTLE_ENDIAN);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (String string : strings) {
      positions.putLong(text.size());
      text.writeBytes(utf8(string));
    }
    positions.putLong(text.size());
    return new EncodedStrings(starts, text.toByteArray());
  }

  /**
   * Returns one string's bytes.
   *
   * @throws IllegalArgumentException if it is too long for a digest
   */
  public static byte[] utf8(String string) {
    byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > StringTable.MAX_STRING_BYTES) {
      throw new IllegalArgumentException(
          "a name of %d bytes is too long for a digest, the limit is %d: it starts \"%s\""
              .formatted(utf8.length, StringTable.MAX_STRING_BYTES, string.substring(0, 40)));
    }
    return utf8;
  }

  /** Returns the section of starts. */
  public byte[] starts() {
    return starts.clone();
  }

  /** Returns the section of bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }
}
