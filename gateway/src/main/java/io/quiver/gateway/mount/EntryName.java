package io.quiver.gateway.mount;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The rules for names that a folder can show. Objects may have names that no file system allows:
 * with empty parts, parts that are "." or "..", parts of more than 255 bytes, zero characters, or
 * text that has no UTF-8. Such objects are left out of listings and cannot be opened.
 */
final class EntryName {
  private static final int LONGEST = 255;

  private EntryName() {}

  /** Returns the bytes of a name, or null if a folder cannot show it. */
  static byte @Nullable [] bytes(String name) {
    if (name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || name.indexOf('\0') >= 0
        || name.indexOf('/') >= 0) {
      return null;
    }
    try {
      ByteBuffer encoded =
          StandardCharsets.UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(name));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes.length > LONGEST ? null : bytes;
    } catch (CharacterCodingException unpaired) {
      return null;
    }
  }

  /** Returns the text of a name, or null if no object can have it. */
  static @Nullable String text(ByteBuffer name) {
    if (name.remaining() > LONGEST) {
      return null;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(name)
          .toString();
    } catch (CharacterCodingException notText) {
      return null;
    }
  }
}
